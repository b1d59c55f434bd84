import { type SessionState, textOf, type Turn } from '@loader/session-core'
import type { Goal } from '@loader/session-core/coding'
import { standing } from '../goal/verdict-of.ts'
import type { Move } from '../move.ts'
import { completionEntry } from '../timeline/completion-entry.ts'
import { claimsDone } from './answer-words.ts'
import { latestAnswer } from './answers-of-turn.ts'
import { decide } from './decisions.ts'
import { endedUnverifiedNote } from './notes.ts'
import { resultsOf } from './results.ts'

/** No retry is left: the work ends as it is, and an answer that claims more than that does not stand. */
export function exhausted(state: SessionState, turn: Turn, goal: Goal): Move {
  const { reasons = [] } = standing(state) ?? {}
  const entry = completionEntry({
    ...resultsOf(state, turn, goal),
    stage: 'definition_of_done',
    mode: state.mode,
    outcome: 'complete',
    code: 'verification_retry_budget_exhausted',
    summary: `ended without being verified, and no retry is left: ${reasons.join('; ')}`,
  })
  const answer = latestAnswer(state, turn)
  if (answer === undefined || !claimsDone(textOf(answer.content))) return decide({ type: 'workflow.decided', entry })
  return decide({ type: 'workflow.decided', entry, note: endedUnverifiedNote(state, goal), withdraws: answer.id })
}
