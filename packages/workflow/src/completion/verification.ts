import type { SessionState, Turn } from '@loader/session-core'
import type { Check } from '@loader/session-core/coding'
import { evidenceOf } from '../goal/evidence-of.ts'
import { goalOfTurn } from '../goal/goal-of-turn.ts'
import { limitsOf } from '../limits.ts'
import type { Move } from '../move.ts'
import { verifyEntry } from '../timeline/verify-entry.ts'
import { type Attempt, hasRun, isRecorded, neededChecks, openAttempt } from './attempt.ts'
import { beginMove } from './begin-attempt.ts'
import { concludeMove } from './conclude.ts'
import { decide } from './decisions.ts'
import { observed, provenanceOf } from './observations.ts'

/** The checks of the goal, one by one: begin an attempt, run each, write down what it showed, conclude. */
export function verificationMove(state: SessionState, turn: Turn): Move {
  const goal = goalOfTurn(state)
  const attempt = openAttempt(state, turn)
  if (goal === null || attempt === undefined) return beginMove(state, turn)
  const checks = neededChecks(goal)
  const next = checks.find((check) => !hasRun(state, attempt, check) || !isRecorded(attempt, check))
  if (next !== undefined) {
    return hasRun(state, attempt, next) ? record(state, next, attempt) : run(state, turn, next)
  }
  return concludeMove(state, turn, { goal, attempt })
}

/** All of them run, also after one has failed: whoever mends the work wants to know of each. */
function run(state: SessionState, turn: Turn, check: Check): Move {
  const { crashes } = turn.spent
  if (state.runningCheck !== null && crashes >= limitsOf(state.policy).maxCrashes) {
    const summary = `The process ended during \`${state.runningCheck.command}\` again; it is not tried once more.`
    return { type: 'finish', reason: 'crash_budget_exhausted', summary, verdict: 'unverified' }
  }
  return { type: 'run_check', check }
}

function record(state: SessionState, check: Check, { number }: Attempt): Move {
  const evidence = evidenceOf(state, check)
  if (evidence === undefined) return { type: 'run_check', check }
  const observation = observed(state, check, evidence, number)
  const status = observation.status === 'passed' || observation.status === 'skipped' ? observation.status : 'failed'
  const entry = verifyEntry({
    mode: state.mode,
    code: `verification_command_${status}`,
    summary: observation.summary,
    evidenceProvenance: [provenanceOf(check, evidence)],
    verificationObservations: [observation],
  })
  return decide({ type: 'workflow.decided', entry })
}
