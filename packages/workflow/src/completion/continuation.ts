import { type SessionState, textOf, type Turn } from '@loader/session-core'
import { hasChanged } from '../goal/needs-verification.ts'
import type { Move } from '../move.ts'
import { completionEntry } from '../timeline/completion-entry.ts'
import { claimsDone } from './answer-words.ts'
import { latestAnswer } from './answers-of-turn.ts'
import { nudgesLeft } from './budgets.ts'
import { decide, sendBack, settle } from './decisions.ts'
import { type FollowThrough, followThrough } from './follow-through.ts'
import { judgementSoFar } from './judgement-so-far.ts'

const stage = 'continuation_check'

/**
 * Whether the answer can end the work, before any check is run. Undefined when it can: that is written down where
 * nothing was changed, for then no check will speak for it.
 */
export function continuationMove(state: SessionState, turn: Turn): Move | undefined {
  if (judgementSoFar(state, turn).entries.some(({ kind }) => kind === 'completion_check')) return undefined
  const answer = latestAnswer(state, turn)
  const text = answer === undefined ? '' : textOf(answer.content)
  const check = followThrough(state, turn, text)
  const changed = hasChanged(state, turn)
  if (check.isComplete) return changed ? undefined : accept(state, check)
  if (nudgesLeft(state, turn) > 0) return nudge(state, turn, { check, text })
  // Once something was changed, the checks have the last word.
  return changed ? undefined : giveUp(state, check)
}

function accept(state: SessionState, check: FollowThrough): Move {
  const entry = completionEntry({
    ...seen(check),
    stage,
    mode: state.mode,
    outcome: 'accept',
    code: 'completion_response_accepted',
    summary: 'accepted the answer, because nothing is missing that it would need',
    signalSummary: ['text_loop_not_detected'],
  })
  return decide({ type: 'workflow.decided', entry })
}

function nudge(
  state: SessionState,
  turn: Turn,
  { check, text }: { readonly check: FollowThrough; readonly text: string },
): Move {
  const reason = {
    ...seen(check),
    stage,
    code: 'premature_completion_nudge',
    summary: `asked to go on, because ${check.missingEvidence[0]} is missing`,
    signalSummary: ['text_loop_not_detected'],
  }
  return sendBack(state, turn, reason, {
    note: check.continuationPrompt,
    answer: claimsDone(text) ? 'withdrawn' : 'stands',
  })
}

function giveUp(state: SessionState, check: FollowThrough): Move {
  const [worst] = check.observations.filter(({ status }) => status === 'failed')
  return settle(state, 'finalize', {
    ...seen(check),
    stage,
    code: 'continuation_budget_exhausted',
    summary: `stopped, because ${worst?.summary ?? `${check.missingEvidence.slice(0, 2).join(' and ')} is still missing`}`,
  })
}

function seen({ provenance, observations, missingEvidence }: FollowThrough) {
  return {
    evidenceProvenance: provenance,
    verificationObservations: observations,
    evidenceSummary: missingEvidence,
  }
}
