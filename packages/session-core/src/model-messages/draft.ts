import type { AnswerPart, ResultPart } from '../words/message.ts'

/** What was read of another program's messages, before its calls and results are paired. */
export type Draft = DraftMessage | DraftResult | DraftLoss

export interface DraftMessage {
  readonly kind: 'message'
  /** Its place in the array that it came from. */
  readonly index: number
  readonly role: 'system' | 'user' | 'assistant'
  /** Calls have the ids that they came with. */
  readonly content: readonly AnswerPart[]
}

/** A result, under the id that it came with. */
export interface DraftResult extends Omit<ResultPart, 'type' | 'name'> {
  readonly kind: 'result'
  readonly index: number
}

export interface DraftLoss {
  readonly kind: 'loss'
  readonly index: number
  /** What could not be taken over, in words for people. */
  readonly loss: string
}
