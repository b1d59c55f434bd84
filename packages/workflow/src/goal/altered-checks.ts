import type { SessionState } from '@loader/session-core'
import type { Check, FileChange } from '@loader/session-core/coding'
import { changesOf, inProject, pathsBefore } from './changed-files.ts'
import { type CheckFile, checkFile, isCheckFile, ruledFolder } from './check-files.ts'
import type { CheckReading } from './check-reading.ts'
import { readCheck } from './read-check.ts'

/** Why a pass of the check would not count: each file that was there before the turn, or rules over one that was. */
export interface Alteration {
  readonly path: string
  readonly reason: string
}

/**
 * What the turn has done to a check that existed before it. New tests are fine: they only add to what is checked. A
 * check that consists of nothing but its own words cannot be altered.
 */
export function alteredChecks(state: SessionState, check: Check): readonly Alteration[] {
  const read = readCheck(check.command)
  const own = new Set(
    [...read.scripts, ...read.selected, ...(check.paths ?? [])].map((path) => normal(state, check, path)),
  )
  if (!read.runsMore && own.size === 0) return []
  const report = changesOf(state)
  if (report.known === 'unknown') return [{ path: '', reason: `${report.why}, so the check may have been altered` }]
  return [...report.changes, ...hiddenChanges(state, report.changes)].flatMap((change) => {
    const reason = own.has(change.path) ? ofItself(change) : read.runsMore ? ofAll(state, change, read) : undefined
    return reason === undefined ? [] : [{ path: change.path, reason }]
  })
}

function ofItself({ path, change }: FileChange): string | undefined {
  return change === 'added' ? undefined : `${path}, which the check runs, was ${change} in this turn`
}

function ofAll(
  state: SessionState,
  { path, change, onlyDependencies }: FileChange,
  read: CheckReading,
): string | undefined {
  if (onlyDependencies) return undefined
  const file = checkFile(path)
  if (file === undefined || !concerns(file, read)) return undefined
  if (change !== 'added') return `${path}, which belongs to the checks of the project, was ${change} in this turn`
  if (file.whenAdded === 'no effect' || !rulesOverOthers(state, path)) return undefined
  return `${path} was added in this turn and steers checks that were there before`
}

/** A program that calls others may run any check; a runner runs those of its own kind. */
function concerns({ decides }: CheckFile, { kind, scripts }: CheckReading): boolean {
  return decides === 'any' || scripts.length > 0 || kind === 'runtime' || decides.includes(kind)
}

/** Whether there were checks in that folder, or below it, before the turn. */
function rulesOverOthers(state: SessionState, path: string): boolean {
  const before = pathsBefore(state)
  if (before === undefined) return true
  const folder = ruledFolder(path)
  return before.some((other) => other.startsWith(folder) && isCheckFile(other))
}

/** Calls have written them, and a look at the project leaves them out: what is installed, and what git ignores. */
function hiddenChanges(state: SessionState, seen: readonly FileChange[]): FileChange[] {
  const known = new Set([...seen.map(({ path }) => path), ...(pathsBefore(state) ?? [])])
  return (state.turn?.work.files ?? [])
    .map((path) => inProject(state, path))
    .filter((path) => !known.has(path))
    .map((path) => ({ path, change: isInstalled(path) ? 'modified' : 'added' }))
}

function isInstalled(path: string): boolean {
  return /(?:^|\/)(?:node_modules|site-packages|\.venv|venv)\//.test(path)
}

function normal(state: SessionState, { cwd }: Check, path: string): string {
  const relative = inProject(state, path)
  const from = cwd === undefined || cwd === '.' || relative.startsWith('/') ? relative : `${cwd}/${relative}`
  return from.replace(/^(?:\.\/)+/, '').replaceAll('/./', '/')
}
