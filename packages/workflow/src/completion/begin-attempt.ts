import type { SessionState, Turn } from '@loader/session-core'
import type { EvidenceProvenance, Goal, TimelineEntry } from '@loader/session-core/coding'
import { defineGoal } from '../goal/define-goal.ts'
import { evidenceOf } from '../goal/evidence-of.ts'
import { goalOfTurn } from '../goal/goal-of-turn.ts'
import { isCurrent } from '../goal/is-current.ts'
import { outcomeOf } from '../goal/verdict-of.ts'
import type { Move, Recorded } from '../move.ts'
import { decisionsOfTurn } from '../timeline/decisions-of-turn.ts'
import { handoffEntry } from '../timeline/handoff-entry.ts'
import { verifyEntry } from '../timeline/verify-entry.ts'
import { latestAttemptNumber, neededChecks, sourceOf } from './attempt.ts'
import { retriesLeft, retryBudget } from './budgets.ts'
import { decide, sendBack, settle } from './decisions.ts'
import { exhausted } from './exhausted.ts'
import { isRetry } from './judgement-so-far.ts'
import { stillFailingNote } from './notes.ts'
import { awaited, outdated } from './observations.ts'

/** Before the checks run: define what done means, unless nothing is different from when they failed. */
export function beginMove(state: SessionState, turn: Turn): Move {
  const before = goalOfTurn(state)
  const failed = decisionsOfTurn(state, turn).findLast(isRetry)
  if (before !== null && failed !== undefined && nothingNew(state, turn, { goal: before, failed })) {
    return stillFailing(state, turn, before)
  }
  const goal = defineGoal(state, turn)
  const defined: readonly Recorded[] =
    JSON.stringify(goal) === JSON.stringify(before) ? [] : [{ type: 'goal.defined', goal }]
  return neededChecks(goal).length === 0
    ? withoutChecks(state, goal, defined)
    : decide(...defined, ...attempt(state, turn, goal))
}

/** Neither the workspace has changed nor has anything been done since the checks failed. */
function nothingNew(
  state: SessionState,
  turn: Turn,
  { goal, failed }: { readonly goal: Goal; readonly failed: TimelineEntry },
): boolean {
  if ((turn.work.lastEffectSeq ?? 0) > failed.seq) return false
  return neededChecks(goal).some((check) => {
    const evidence = evidenceOf(state, check)
    if (evidence === undefined || isCurrent(state, goal, evidence) === 'no') return false
    const outcome = outcomeOf(check, evidence)
    return outcome === 'failed' || outcome === 'interrupted'
  })
}

function stillFailing(state: SessionState, turn: Turn, goal: Goal): Move {
  if (retriesLeft(state, turn) <= 0) return exhausted(state, turn, goal)
  const reason = {
    stage: 'definition_of_done',
    code: 'verification_failed_no_new_changes',
    summary: 'asked to go on, because the checks have failed and nothing has changed since',
  }
  return sendBack(state, turn, reason, { note: stillFailingNote(state, goal), answer: 'withdrawn' })
}

/** Nothing is known that could show it: that is said, and nothing more is claimed. */
function withoutChecks(state: SessionState, goal: Goal, defined: readonly Recorded[]): Move {
  if (goal.criteria.length > 0) {
    return settle(
      state,
      'complete',
      {
        stage: 'definition_of_done',
        code: 'verification_passed',
        summary: 'accepted, because every criterion was waived',
      },
      defined,
    )
  }
  const missing: EvidenceProvenance = {
    category: 'verification',
    source: 'workspace',
    summary: 'no check is known for this work',
    status: 'missing',
  }
  const observation = { status: 'missing', summary: 'no check is known for this work' } as const
  const entry = verifyEntry({
    mode: state.mode,
    code: 'verification_commands_missing',
    summary: 'no check is known for this work',
    evidenceProvenance: [missing],
    verificationObservations: [observation],
  })
  const reason = {
    stage: 'definition_of_done',
    code: 'verification_commands_missing',
    summary: 'ended unverified, because no check is known for this work',
    evidenceProvenance: [missing],
    verificationObservations: [observation],
  }
  return settle(state, 'complete', reason, [...defined, { type: 'workflow.decided', entry }])
}

function attempt(state: SessionState, turn: Turn, goal: Goal): readonly Recorded[] {
  const number = latestAttemptNumber(state, turn) + 1
  const checks = neededChecks(goal)
  const before = checks.flatMap((check) => {
    const evidence = evidenceOf(state, check)
    return evidence === undefined ? [] : [{ check, evidence }]
  })
  const passedThen = before.filter(({ check, evidence }) => {
    return number > 1 && outcomeOf(check, evidence) === 'passed' && isCurrent(state, goal, evidence) === 'no'
  })
  const count = `${checks.length} ${checks.length === 1 ? 'check' : 'checks'}`
  const pending = verifyEntry({
    mode: 'verify',
    code: 'verification_pending',
    summary: `${count} to run (attempt ${number}, with at most ${retryBudget(state)} retries)`,
    evidenceProvenance: before.map(({ check, evidence }) => ({
      category: 'verification',
      source: sourceOf(evidence.runId),
      summary: `an earlier run of \`${check.command}\` does not count any more`,
      status: 'context',
      subject: check.command,
    })),
    verificationObservations: checks.map((check) => awaited(check, 'pending', number)),
  })
  return [
    ...(number > 1 ? [] : [planned(state, goal)]),
    ...(passedThen.length === 0
      ? []
      : [
          stale(
            state,
            passedThen.map(({ check }) => outdated(check, number - 1)),
          ),
        ]),
    ...(state.mode === 'verify' ? [] : [handoff()]),
    { type: 'workflow.decided', entry: pending },
  ]
}

function planned(state: SessionState, goal: Goal): Recorded {
  const checks = neededChecks(goal)
  const entry = verifyEntry({
    mode: state.mode,
    code: 'verification_planned',
    summary: `done means that ${goal.criteria.map(({ text }) => text).join('; ')}`,
    verificationObservations: checks.map((check) => awaited(check, 'planned', 1)),
  })
  return { type: 'workflow.decided', entry }
}

function stale(state: SessionState, observations: readonly ReturnType<typeof outdated>[]): Recorded {
  const entry = verifyEntry({
    mode: state.mode,
    code: 'verification_stale',
    summary: `${observations.length === 1 ? 'a check' : `${observations.length} checks`} passed before the workspace changed`,
    verificationObservations: observations,
  })
  return { type: 'workflow.decided', entry }
}

function handoff(): Recorded {
  const entry = handoffEntry({
    mode: 'verify',
    code: 'definition_of_done_requires_verification',
    summary: 'what was changed has to be verified before the work counts as done',
  })
  return { type: 'workflow.decided', entry }
}
