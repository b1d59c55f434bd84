import type { SessionState, Turn } from '@loader/session-core'
import type { Goal } from '@loader/session-core/coding'
import { evidenceOf } from '../goal/evidence-of.ts'
import { outcomeOf, standing } from '../goal/verdict-of.ts'
import type { Move } from '../move.ts'
import { reentryEntry } from '../timeline/reentry-entry.ts'
import { type Attempt, neededChecks } from './attempt.ts'
import { beginMove } from './begin-attempt.ts'
import { retriesLeft, retryBudget } from './budgets.ts'
import { sendBack, settle } from './decisions.ts'
import { exhausted } from './exhausted.ts'
import { checkFailedNote } from './notes.ts'
import { resultsOf } from './results.ts'

const stage = 'definition_of_done'
/** A workspace that changes while the checks run is looked at once more, then believed. */
const attemptsInJudgement = 2

/** All checks have run, each of which ended with a look at the workspace: what follows. */
export function concludeMove(
  state: SessionState,
  turn: Turn,
  { goal, attempt }: { readonly goal: Goal; readonly attempt: Attempt },
): Move {
  const { verdict, reasons } = standing(state) ?? { verdict: 'unverified', reasons: [] }
  const why = reasons.join('; ')
  switch (verdict) {
    case 'verified':
    case 'waived':
      return accept(state, turn, goal, { code: 'verification_passed', summary: `accepted: ${why}` })
    case 'present':
      return accept(state, turn, goal, {
        code: 'presence_only_accepted',
        summary: `ended with only its presence shown: ${why}`,
      })
    case 'failed':
      return sendBackOrEnd(state, turn, { goal, attempt })
    case 'stale':
      return attempt.inJudgement < attemptsInJudgement ? beginMove(state, turn) : exhausted(state, turn, goal)
    case 'unverified':
      return wasCutOff(state, goal)
        ? sendBackOrEnd(state, turn, { goal, attempt })
        : accept(state, turn, goal, { code: 'verification_inconclusive', summary: `ended unverified: ${why}` })
    default:
      return verdict satisfies never
  }
}

function accept(
  state: SessionState,
  turn: Turn,
  goal: Goal,
  reason: { readonly code: string; readonly summary: string },
): Move {
  return settle(state, 'complete', { ...resultsOf(state, turn, goal), ...reason, stage })
}

function sendBackOrEnd(
  state: SessionState,
  turn: Turn,
  { goal, attempt }: { readonly goal: Goal; readonly attempt: Attempt },
): Move {
  if (retriesLeft(state, turn) <= 0) return exhausted(state, turn, goal)
  const code = 'verification_failed_reentry'
  const summary = 'back to work, because the checks have failed'
  const reentry = reentryEntry({ mode: 'execute', code, summary })
  const reason = { ...resultsOf(state, turn, goal), stage, code, summary }
  return sendBack(state, turn, reason, {
    note: checkFailedNote(state, goal, { attempt: attempt.number, budget: retryBudget(state) }),
    answer: 'withdrawn',
    before: [{ type: 'workflow.decided', entry: reentry }],
  })
}

/** A check that does not end, because the work makes it hang or because it was stopped, is to be dealt with. */
function wasCutOff(state: SessionState, goal: Goal): boolean {
  return neededChecks(goal).some((check) => {
    const evidence = evidenceOf(state, check)
    return evidence !== undefined && outcomeOf(check, evidence) === 'interrupted'
  })
}
