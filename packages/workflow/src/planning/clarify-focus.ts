import type { Grounding } from '@loader/session-core/coding'
import { type AnsweredRound, assessAnswer } from './assess-answer.ts'
import { builtInQuestion } from './clarify-questions.ts'
import { type ClarifyPressure, type ClarifySlot, clarifySlots, type ClarifyStage } from './clarify-slots.ts'
import { groundedQuestion } from './grounded-question.ts'
import { readQuestion } from './read-question.ts'

export interface ClarifyFocus {
  readonly slot: ClarifySlot
  readonly pressure: ClarifyPressure | null
  readonly stage: ClarifyStage
  /** All open questions, in the order of asking. */
  readonly unresolved: readonly ClarifySlot[]
}

/** Before the first answer, every question is open, and the outcome comes first. */
export const firstFocus: ClarifyFocus = {
  slot: 'desired_outcome',
  pressure: null,
  stage: 'intent',
  unresolved: clarifySlots,
}

/** What the next question is about, after the answer of a round; null if all is settled. */
export function nextFocus(answered: AnsweredRound): ClarifyFocus | null {
  const { focus, pressure, stage, unresolved } = assessAnswer({ ...answered, round: answered.round + 1 })
  return focus === null ? null : { slot: focus, pressure, stage, unresolved }
}

/** Chooses the question: the model's, else one about existing files, else the built-in one. */
export function chooseQuestion(
  { slot, pressure }: Pick<ClarifyFocus, 'slot' | 'pressure'>,
  { answer = '', grounding = null }: { readonly answer?: string; readonly grounding?: Grounding | null } = {},
): string {
  return (
    readQuestion(answer) ??
    (grounding === null ? null : groundedQuestion(slot, pressure, grounding)) ??
    builtInQuestion(slot, pressure)
  )
}
