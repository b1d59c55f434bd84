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
  /** All that is open, in the order of asking. */
  readonly unresolved: readonly ClarifySlot[]
}

/** Before the first answer, everything is open, and the outcome comes first. */
export const firstFocus: ClarifyFocus = {
  slot: 'desired_outcome',
  pressure: null,
  stage: 'intent',
  unresolved: clarifySlots,
}

/** What the question of a round is about, after the answer of the round before it; null when nothing is open. */
export function nextFocus(answered: AnsweredRound): ClarifyFocus | null {
  const { focus, pressure, stage, unresolved } = assessAnswer({ ...answered, round: answered.round + 1 })
  return focus === null ? null : { slot: focus, pressure, stage, unresolved }
}

/** The question as it is asked: the model's, else one about files that are there, else the one that always fits. */
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
