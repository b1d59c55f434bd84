import type { AnswerPart, ResultPart } from '../words/message.ts'

/** A message read from another program, before calls and results are paired. */
export type Draft = DraftMessage | DraftResult | DraftLoss

export interface DraftMessage {
  readonly kind: 'message'
  /** Its index in the source array. */
  readonly index: number
  readonly role: 'system' | 'user' | 'assistant'
  /** Calls keep their original ids. */
  readonly content: readonly AnswerPart[]
}

/** A result with its original id. */
export interface DraftResult extends Omit<ResultPart, 'type' | 'name'> {
  readonly kind: 'result'
  readonly index: number
}

export interface DraftLoss {
  readonly kind: 'loss'
  readonly index: number
  /** What could not be imported, in words for people. */
  readonly loss: string
}
