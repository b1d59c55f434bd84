import { type SessionState, shownText } from '@loader/session-core'
import type { Check, Criterion, Evidence, Goal, Verdict } from '@loader/session-core/coding'
import { alteredChecks } from './altered-checks.ts'
import { baselineOf, evidenceOf } from './evidence-of.ts'
import { goalOfTurn } from './goal-of-turn.ts'
import { isCurrent } from './is-current.ts'
import { readCheck } from './read-check.ts'
import { type Counts, readCounts } from './read-counts.ts'

export interface Judgement {
  readonly verdict: Verdict
  /** Why, in words. */
  readonly reasons: readonly string[]
}

/** The worst comes first. */
const worstFirst = ['failed', 'stale', 'unverified', 'present', 'waived', 'verified'] as const satisfies Verdict[]

/**
 * Where a criterion stands, by what the runtime has seen for itself.
 *
 * Invariants:
 * 1. Nothing but `check.finished` speaks for a criterion: no answer, no output of a call, no file.
 * 2. Verified takes a run that passed, of the very command and in the very folder, on a tree that nothing but checks has
 *    changed since; a check that could have failed; and no alteration of a check that was there before.
 */
export function verdictOf(criterion: Criterion, state: SessionState): Judgement {
  if (criterion.waived) {
    const { by, reason } = criterion.waived
    return { verdict: 'waived', reasons: [`waived by ${by}${reason === undefined ? '' : `: ${reason}`}`] }
  }
  const goal = goalOfTurn(state)
  const checks = goal?.checks.filter(({ id }) => criterion.checkIds.includes(id)) ?? []
  if (goal === null || checks.length === 0) return { verdict: 'unverified', reasons: ['no check stands for it'] }
  return worst(checks.map((check) => judgeCheck(state, goal, check)))
}

/** Where the whole goal stands: as its worst criterion does. Undefined when the turn has no goal. */
export function standing(state: SessionState): Judgement | undefined {
  const goal = goalOfTurn(state)
  if (goal === null) return undefined
  if (goal.criteria.length === 0) return { verdict: 'unverified', reasons: ['no check is known'] }
  return worst(goal.criteria.map((criterion) => verdictOf(criterion, state)))
}

/** Only these count as done. */
export function isDone(verdict: Verdict): boolean {
  return verdict === 'verified' || verdict === 'waived'
}

/** Where one check stands. */
function judgeCheck(state: SessionState, goal: Goal, check: Check): Judgement {
  const evidence = evidenceOf(state, check)
  const name = `\`${check.command}\``
  if (evidence === undefined) return { verdict: 'unverified', reasons: [`${name} was not run`] }
  if (evidence.command !== check.command) {
    return { verdict: 'unverified', reasons: [`${name} was asked for, but \`${evidence.command}\` was run`] }
  }
  if (folder(evidence.cwd) !== folder(check.cwd)) {
    return {
      verdict: 'unverified',
      reasons: [`${name} was run in ${folder(evidence.cwd)}, not in ${folder(check.cwd)}`],
    }
  }
  const current = isCurrent(state, goal, evidence)
  switch (current) {
    case 'yes':
      return judgeRun(state, check, evidence)
    case 'no':
      return { verdict: 'stale', reasons: [`the workspace has changed since ${name} was run`] }
    case 'not_known':
      return judgeWithoutTree(state, check, evidence)
    default:
      return current satisfies never
  }
}

/** A failure is one on whatever files; a pass says nothing about files of which no tree was taken. */
function judgeWithoutTree(state: SessionState, check: Check, evidence: Evidence): Judgement {
  if (outcomeOf(check, evidence) !== 'passed') return judgeRun(state, check, evidence)
  const why = state.workspace?.noTree ?? 'no tree of them was taken'
  return { verdict: 'unverified', reasons: [`\`${check.command}\` passed, but on which files is not known: ${why}`] }
}

function judgeRun(state: SessionState, check: Check, evidence: Evidence): Judgement {
  const name = `\`${check.command}\``
  const counts = countsOf(evidence)
  const outcome = outcomeOf(check, evidence)
  switch (outcome) {
    case 'failed':
      return { verdict: 'failed', reasons: [`${name} failed${exitOf(evidence, counts)}`] }
    case 'interrupted':
      return { verdict: 'unverified', reasons: [`${name} was cut off before it ended`] }
    case 'skipped':
      return { verdict: 'unverified', reasons: [`${name} could not be run here`] }
    case 'passed':
      return judgePass(state, check, counts)
    default:
      return outcome satisfies never
  }
}

function judgePass(state: SessionState, check: Check, counts: Counts | undefined): Judgement {
  const name = `\`${check.command}\``
  const cannotShow = onlyPresence(state, check)
  if (cannotShow !== undefined) return { verdict: 'present', reasons: [`${name} passed, but ${cannotShow}`] }
  if (counts?.passed === 0) {
    return { verdict: 'unverified', reasons: [`${name} ended well, but not one test was run`] }
  }
  if (counts === undefined && readCheck(check.command).counts) {
    return { verdict: 'unverified', reasons: [`${name} ended well, but did not say that any test was run`] }
  }
  const before = baselineOf(state, check)?.counts
  if (counts !== undefined && before !== undefined && total(counts) < total(before)) {
    return {
      verdict: 'unverified',
      reasons: [
        `${name} passed, but with ${inTests(total(counts))}, where there were ${total(before)} before the work`,
      ],
    }
  }
  const [altered] = alteredChecks(state, check)
  if (altered !== undefined) {
    return { verdict: 'unverified', reasons: [`${name} passed, which does not count: ${altered.reason}`] }
  }
  const passed = counts === undefined ? '' : ` (${inTests(counts.passed)})`
  return { verdict: 'verified', reasons: [`${name} passed${passed}`] }
}

/** How a run ended, whatever it says of itself: failed tests are a failure even if the exit code hides them. */
export function outcomeOf(check: Pick<Check, 'kind'>, evidence: Evidence): Evidence['outcome'] {
  const { outcome, exitCode, signal } = evidence
  if (exitCode === 127 && check.kind === 'syntax') return 'skipped'
  if (outcome !== 'passed') return outcome
  const failed = exitCode !== 0 || signal !== undefined || (countsOf(evidence)?.failed ?? 0) > 0
  return failed ? 'failed' : 'passed'
}

/** Commands of the user and of the project are trusted to check something; those that a model chose have to show it. */
function onlyPresence(state: SessionState, check: Check): string | undefined {
  const { strength, narrow, kind } = readCheck(check.command)
  if (strength === 'nothing') return 'it cannot fail'
  if (check.kind === 'existence' || check.kind === 'syntax') return 'it only shows that the files are there and parse'
  if (strength === 'presence') {
    return kind === 'existence' || kind === 'syntax'
      ? 'it only shows that the files are there and parse'
      : 'it runs nothing'
  }
  if (check.source === 'user' || check.source === 'project') return undefined
  if (strength === 'unclear') return 'nothing says that it could fail'
  const whole = goalOfTurn(state)?.checks.some(
    ({ source, kind: other }) => source === 'project' && other === check.kind,
  )
  return narrow && whole !== true ? 'it runs only a part of the checks, chosen by the model' : undefined
}

function countsOf({ counts, output }: Evidence): Counts | undefined {
  return counts ?? readCounts(shownText(output))
}

function inTests(count: number): string {
  return count === 1 ? '1 test' : `${count} tests`
}

function total({ passed, failed, skipped }: Counts): number {
  return passed + failed + skipped
}

function exitOf({ exitCode, signal }: Evidence, counts: Counts | undefined): string {
  if (counts !== undefined && counts.failed > 0) return ` (${inTests(counts.failed)})`
  if (signal !== undefined) return ` (${signal})`
  return exitCode === null ? '' : ` (exit code ${exitCode})`
}

function folder(cwd: string | undefined): string {
  return cwd === undefined || cwd === '' || cwd === './' ? '.' : cwd.replace(/\/+$/, '')
}

function worst(judgements: readonly Judgement[]): Judgement {
  const verdict = worstFirst.find((each) => judgements.some((judgement) => judgement.verdict === each)) ?? 'unverified'
  const reasons = judgements.filter((judgement) => judgement.verdict === verdict).flatMap((each) => each.reasons)
  return { verdict, reasons: [...new Set(reasons)] }
}
