import { join } from 'node:path'
import { settingsIn } from './git-settings.ts'
import { type Ground, statsOn, textOn } from './ground.ts'

/** Unfinished operations in a repository that make git run commands when the user continues them. */
const begun = ['rebase-merge', 'sequencer'] as const

/** The commands that a rebase will run when it continues. */
export type Planned = ReadonlySet<string>

/** The commands that unfinished work will run. Read before a command begins: the user's own, or checked earlier. */
export function plannedIn(ground: Ground, folder: string): Planned {
  return new Set(linesThatRun(textOn(ground, join(folder, 'rebase-merge/git-rebase-todo')) ?? ''))
}

/** Unfinished work that will run commands which were not planned before. */
export function unfinishedThatRuns(ground: Ground, folder: string, before: Planned = new Set()): readonly string[] {
  return begun.map((name) => join(folder, name)).filter((path) => runsMore(ground, path, before))
}

function runsMore(ground: Ground, path: string, before: Planned): boolean {
  const stats = statsOn(ground, path)
  if (stats === undefined) return false
  // An entry that is not a folder, such as a link, can lead to content that changes at any time.
  if (!stats.isDirectory()) return true
  const todo = textAt(ground, join(path, 'git-rebase-todo'))
  const strategy = textAt(ground, join(path, 'strategy'))
  const settings = settingsIn(textAt(ground, join(path, 'opts')) ?? '[')
  if (todo === undefined || strategy === undefined || settings === undefined) return true
  return (
    linesThatRun(todo).some((line) => !before.has(line)) ||
    !isBuiltIn(strategy.trim()) ||
    settings.some(({ key, value }) => key === 'options.strategy' && !isBuiltIn(value))
  )
}

function linesThatRun(todo: string): readonly string[] {
  return todo.split('\n').flatMap((line) => (/^\s*(x|exec)\s/.test(line) ? [line.trim()] : []))
}

/** Whether a merge strategy is built in. Any other is a program, looked up by its name or path. */
function isBuiltIn(strategy: string): boolean {
  return ['', 'ort', 'recursive', 'resolve', 'octopus', 'ours', 'subtree'].includes(strategy)
}

/** Empty if the file does not exist; undefined if it exists but cannot be read. */
function textAt(ground: Ground, path: string): string | undefined {
  return statsOn(ground, path) === undefined ? '' : textOn(ground, path)
}
