import { join } from 'node:path'
import { settingsIn } from './git-settings.ts'
import { type Ground, statsOn, textOn } from './ground.ts'

/** What a command can leave begun in a repository, so that git runs something when the user goes on. */
const begun = ['rebase-merge', 'sequencer'] as const

/** The commands that a rebase will run when it goes on. */
export type Planned = ReadonlySet<string>

/** What the unfinished work of a repository will run. It was the user's, or was looked at, before a command begins. */
export function plannedIn(ground: Ground, folder: string): Planned {
  return new Set(linesThatRun(textOn(ground, join(folder, 'rebase-merge/git-rebase-todo')) ?? ''))
}

/** Unfinished work that will run what was not planned before. */
export function unfinishedThatRuns(ground: Ground, folder: string, before: Planned = new Set()): readonly string[] {
  return begun.map((name) => join(folder, name)).filter((path) => runsMore(ground, path, before))
}

function runsMore(ground: Ground, path: string, before: Planned): boolean {
  const stats = statsOn(ground, path)
  if (stats === undefined) return false
  // What lies elsewhere can change at any time.
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

/** Another strategy is a program, looked for also where its name leads. */
function isBuiltIn(strategy: string): boolean {
  return ['', 'ort', 'recursive', 'resolve', 'octopus', 'ours', 'subtree'].includes(strategy)
}

/** Empty where there is nothing; undefined where there is something that cannot be read. */
function textAt(ground: Ground, path: string): string | undefined {
  return statsOn(ground, path) === undefined ? '' : textOn(ground, path)
}
