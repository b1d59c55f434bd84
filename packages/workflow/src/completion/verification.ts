import type { SessionState, Turn } from '@loader/session-core'
import type { Check, Goal } from '@loader/session-core/coding'
import { defineGoal, neededChecks } from '../goal/define-goal.ts'
import { goalOfTurn } from '../goal/goal-of-turn.ts'
import { limitsOf } from '../words/limits.ts'
import { decide, type Step, type Recorded } from '../words/step.ts'
import { handoffEntry } from '../timeline/route-entry.ts'
import { verifyEntry } from '../timeline/verify-entry.ts'
import { awaited } from './observations.ts'
import { retryBudget } from './budgets.ts'

/**
 * Works through the checks of the goal: defines the goal, observes the workspace, and runs each check in as many rooms
 * as its judgement needs.
 */
export function verificationStep(state: SessionState, turn: Turn): Step {
  const goal = defineGoal(state, turn)
  const { verification, work } = turn
  const isDefined = JSON.stringify(goal) === JSON.stringify(goalOfTurn(state))
  const isBegun = verification !== undefined && verification.seq > (work.lastEffectSeq ?? 0)
  if (!isDefined || (!isBegun && state.mode !== 'verify')) return begin(state, turn, goal)
  if (!isBegun) return { type: 'begin_verification' }
  const { next, checks } = verification
  const check = neededChecks(goal).find(({ id }) => !checks.some(({ checkId }) => checkId === id))
  if (check === undefined) return { type: 'begin_verification' }
  const experiment = next?.checkId === check.id ? next.experiment : ({ room: 'now' } as const)
  return overCrashes(state, turn) ?? { type: 'run_check', check, experiment }
}

function overCrashes({ policy, runningCheck }: SessionState, { spent }: Turn): Step | undefined {
  if (runningCheck === null || spent.crashes < limitsOf(policy).maxCrashes) return undefined
  const summary = `The process ended during \`${runningCheck.command}\` again; it is not tried once more.`
  return { type: 'finish', reason: 'crash_budget_exhausted', summary, verdict: 'unverified' }
}

function begin(state: SessionState, turn: Turn, goal: Goal): Step {
  const checks = neededChecks(goal)
  const number = (turn.verification?.attempt ?? 0) + 1
  const count = `${checks.length} ${checks.length === 1 ? 'check' : 'checks'}`
  const observations = (status: 'planned' | 'pending') => checks.map((check: Check) => awaited(check, status, number))
  const planned = verifyEntry({
    mode: state.mode,
    code: 'verification_planned',
    summary: `done means that ${goal.criteria.map(({ text }) => text).join('; ')}`,
    verificationObservations: observations('planned'),
  })
  const handoff = handoffEntry({
    mode: 'verify',
    code: 'definition_of_done_requires_verification',
    summary: 'what was changed has to be verified before the work counts as done',
  })
  const pending = verifyEntry({
    mode: 'verify',
    code: 'verification_pending',
    summary: `${count} to run (attempt ${number}, with at most ${retryBudget(state)} retries)`,
    verificationObservations: observations('pending'),
  })
  const entries = [...(number > 1 ? [] : [planned]), ...(state.mode === 'verify' ? [] : [handoff]), pending]
  return decide(
    { type: 'goal.defined', goal },
    ...entries.map((entry): Recorded => ({ type: 'workflow.decided', entry })),
  )
}
