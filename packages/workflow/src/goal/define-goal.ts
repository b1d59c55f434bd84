import type { SessionState, Turn } from '@loader/session-core'
import type { Check, Criterion, Goal } from '@loader/session-core/coding'
import { limitsOf } from '../words/limits.ts'
import { changesOf } from './changed-files.ts'
import { checksAlreadyRun } from './checks-already-run.ts'
import { checksOfPlan } from './checks-of-plan.ts'
import { checksOfPresence } from './checks-of-presence.ts'
import { checksOfProject } from './checks-of-project.ts'
import { checksOfUser } from './checks-of-user.ts'
import { goalIdOf, goalOfTurn } from './goal-of-turn.ts'
import { checkFor, criterionFor, type Proposal } from './proposal.ts'

/** The most checks of each source that one judgement runs. */
const mostChecks = 50
/**
 * Checks from these sources stay in the goal. The others, from the plan and from touched files, may change during the
 * turn.
 */
const stays: ReadonlySet<string> = new Set(['user', 'project', 'commands'])

/**
 * Defines how to know that the task of the turn is done: one criterion per check, from the best source available.
 * Checks of the user are used alone. Otherwise checks of the plan are completed by those that the project declares;
 * then come commands that already ran as checks; a small task without any of these is checked for the presence of its
 * files.
 *
 * Invariant: the work must not remove a check that the project declared when the turn began.
 */
export function defineGoal(state: SessionState, turn: Turn): Goal {
  const before = goalOfTurn(state)
  const size = sizeOf(state, turn)
  const proposals = onceEach(proposed(state, turn, size))
  const fresh = new Set(proposals.map(({ command }) => command))
  const kept = (before?.checks ?? [])
    .filter(({ source, command }) => stays.has(source) && !fresh.has(command) && mayRun(state, source))
    .slice(0, mostChecks)
  const usable = kept.length > 0 ? proposals.filter(({ source }) => source !== 'presence') : proposals
  return {
    id: goalIdOf(turn),
    task: state.task ?? '',
    criteria: [...usable.map((proposal) => withWaiver(before, criterionFor(proposal))), ...criteriaOf(before, kept)],
    checks: [...usable.map(checkFor), ...kept],
    size,
    retryBudget: limitsOf(state.policy).verificationRetries,
  }
}

/**
 * Whether there are checks but none may run, because there are no walls and the user has named no check. False for a
 * project without checks.
 */
export function checksWithheld(state: SessionState, turn: Turn): boolean {
  if (mayRun(state, 'project') || checksOfUser(state, turn).length > 0) return false
  const kept = goalOfTurn(state)?.checks.some(({ source }) => stays.has(source)) ?? false
  return kept || derived(state, turn).length > 0
}

/** The checks of criteria that the user has not waived. */
export function neededChecks({ criteria, checks }: Goal): readonly Check[] {
  const needed = new Set(criteria.filter(({ waived }) => waived === undefined).flatMap(({ checkIds }) => checkIds))
  return checks.filter(({ id }) => needed.has(id))
}

function proposed(state: SessionState, turn: Turn, size: NonNullable<Goal['size']>): readonly Proposal[] {
  const byUser = inBounds(checksOfUser(state, turn))
  if (byUser.length > 0) return byUser
  if (!mayRun(state, 'project')) return []
  const known = derived(state, turn)
  if (known.length > 0) return known
  return size === 'small' ? checksOfPresence(state, turn) : []
}

/** Without walls, only checks that the user named may run: a command from the project could do anything. */
function mayRun({ policy }: SessionState, source: Check['source']): boolean {
  return source === 'user' || policy?.walls?.state !== 'missing'
}

/** Checks that the plan or the project declares, else commands that already ran. */
function derived(state: SessionState, turn: Turn): readonly Proposal[] {
  const declared = [...checksOfPlan(state), ...checksOfProject(state)].slice(0, mostChecks)
  return declared.length > 0 ? declared : checksAlreadyRun(turn)
}

function inBounds(proposals: readonly Proposal[]): readonly Proposal[] {
  if (proposals.length <= mostChecks) return proposals
  const rest = proposals.slice(mostChecks - 1)
  const command = rest.map((proposal) => `(${proposal.command}\n)`).join(' && ')
  return [
    ...proposals.slice(0, mostChecks - 1),
    { command, text: `${rest.length} more commands succeed`, source: 'user' },
  ]
}

function sizeOf(state: SessionState, { work }: Turn): NonNullable<Goal['size']> {
  const report = changesOf(state)
  const files = report.known === 'all' ? Math.max(report.changes.length, work.files.length) : work.files.length
  return taskSize({ files, lines: work.lines })
}

/** The size of a task, judged by the files touched so far. */
export function taskSize({
  files,
  lines,
}: {
  readonly files: number
  readonly lines: number
}): NonNullable<Goal['size']> {
  if (files <= 3 && lines < 100) return 'small'
  return files <= 15 && lines < 500 ? 'standard' : 'large'
}

function onceEach(proposals: readonly Proposal[]): readonly Proposal[] {
  return [...new Map(proposals.toReversed().map((proposal) => [proposal.command, proposal])).values()].toReversed()
}

/** A criterion that the user waived stays waived when the goal is defined again. */
function withWaiver(before: Goal | null, criterion: Criterion): Criterion {
  const waived = before?.criteria.find(({ id }) => id === criterion.id)?.waived
  return waived === undefined ? criterion : { ...criterion, waived }
}

function criteriaOf(goal: Goal | null, checks: readonly Check[]): readonly Criterion[] {
  const ids = new Set(checks.map(({ id }) => id))
  return goal?.criteria.filter(({ checkIds }) => checkIds.some((id) => ids.has(id))) ?? []
}
