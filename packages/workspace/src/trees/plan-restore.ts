import type { RestoreStep } from '@loader/session-core/coding'
import type { EntryChange } from './ask-side.ts'
import type { TreeEntry } from '../git/tree-entry.ts'
import type { PathNow } from './path-now.ts'
import { foldersAbove, type RawPath, shownRawPath } from './raw-path.ts'
import type { RestEntry } from './rest.ts'

/** A step, with the path in bytes and the entry that it writes. */
export interface PlannedStep {
  readonly path: RawPath
  readonly step: RestoreStep
  readonly entry?: TreeEntry
}

export interface Restoring {
  /** From the tree as it was left to the tree to go back to; paths relative to the workspace. */
  readonly changes: readonly EntryChange[]
  /** All paths of the tree to go back to. */
  readonly target: ReadonlySet<RawPath>
  /** The entries that each of the two trees leaves out. */
  readonly restFrom: readonly RestEntry[]
  readonly restTo: readonly RestEntry[]
  now(path: RawPath): PathNow
  /** The names in a folder; undefined when there is no such folder. */
  namesIn(folder: RawPath): readonly RawPath[] | undefined
}

/**
 * The steps from one tree back to another. Makes no changes.
 *
 * 1. A path is touched only if it is now as the later tree has it.
 * 2. A folder is removed only if everything in it is removed too, and the earlier tree has no such folder.
 * 3. Steps are in the order in which they can be done: removals, deepest first, then additions.
 */
export function planRestore(restoring: Restoring): PlannedStep[] {
  const removals: PlannedStep[] = []
  const writes: { readonly change: EntryChange; readonly now: PathNow }[] = []
  const kept: PlannedStep[] = []
  for (const change of restoring.changes) {
    const now = restoring.now(change.path)
    const reason = whyKept(change, now)
    if (reason !== undefined && !(change.after !== undefined && change.before === undefined && now.kind === 'folder')) {
      kept.push(keep(change.path, reason))
    } else if (change.after === undefined) removals.push({ path: change.path, step: step(change.path, 'remove') })
    else writes.push({ change, now })
  }
  removals.sort((one, other) => (one.path < other.path ? 1 : -1))
  const going = new Set(removals.map(({ path }) => path))
  // Paths that are gone already, also by an interrupted restore, have left their folders behind.
  const gone = restoring.changes.flatMap(({ path, after }) => (after === undefined && !going.has(path) ? [path] : []))
  const folders = foldersToRemove(restoring, going, gone)
  for (const folder of folders) going.add(folder)
  const coming: PlannedStep[] = []
  for (const { change, now } of writes) {
    const obstacle = obstacleOf(restoring, change.path, now, going)
    if (obstacle !== undefined) kept.push(keep(change.path, obstacle))
    else
      coming.push({ path: change.path, step: step(change.path, 'write'), ...(change.after && { entry: change.after }) })
  }
  return [
    ...removals,
    ...folders.map((path) => ({ path, step: step(path, 'remove_folder') })),
    ...foldersToMake(restoring, going).map((path) => ({ path, step: step(path, 'make_folder') })),
    ...coming,
    ...kept,
    ...keptRest(restoring),
  ]
}

function whyKept({ before, after }: EntryChange, now: PathNow): string | undefined {
  if (now.kind === 'other') return now.why
  if (now.kind === 'folder') return 'A folder is there now.'
  const found = now.kind === 'entry' ? now.entry : undefined
  if (isSame(found, before)) return undefined
  if (isSame(found, after)) return 'It is as it was before already.'
  return found === undefined ? 'It was removed since.' : 'It was changed since.'
}

function isSame(one: TreeEntry | undefined, other: TreeEntry | undefined): boolean {
  return one?.mode === other?.mode && one?.blob === other?.blob
}

/** Folders in which every entry is removed, the deepest first. */
function foldersToRemove(restoring: Restoring, going: ReadonlySet<RawPath>, gone: readonly RawPath[]): RawPath[] {
  const stays = new Set(
    [...restoring.target, ...restoring.restTo.map(({ path }) => path.replace(/\/$/, '/.'))].flatMap(foldersAbove),
  )
  const emptied = restoring.restFrom.filter(({ kind }) => kind === 'empty').map(({ path }) => `${path}.`)
  const candidates = new Set([...going, ...gone, ...emptied].flatMap(foldersAbove))
  const removed = new Set<RawPath>(going)
  const folders: RawPath[] = []
  for (const folder of [...candidates].sort((one, other) => (one < other ? 1 : -1))) {
    const names = stays.has(folder) ? undefined : restoring.namesIn(folder)
    if (names?.every((name) => removed.has(`${folder}/${name}`)) !== true) continue
    removed.add(folder)
    folders.push(folder)
  }
  return folders
}

function foldersToMake(restoring: Restoring, going: ReadonlySet<RawPath>): RawPath[] {
  const known = new Set(restoring.restFrom.map(({ path }) => path))
  return restoring.restTo
    .filter(({ kind, path }) => kind === 'empty' && !known.has(path))
    .map(({ path }) => path.slice(0, -1))
    .filter((path) => {
      const now = restoring.now(path)
      return (now.kind === 'absent' || going.has(path)) && obstacleOf(restoring, path, now, going) === undefined
    })
}

/** What prevents a path from being written after all removals. */
function obstacleOf(
  restoring: Restoring,
  path: RawPath,
  now: PathNow,
  going: ReadonlySet<RawPath>,
): string | undefined {
  if (now.kind === 'folder' && !going.has(path)) return 'A folder with other files is there now.'
  for (const folder of foldersAbove(path)) {
    const { kind } = restoring.now(folder)
    if (kind !== 'folder' && kind !== 'absent' && !going.has(folder))
      return `${shownRawPath(folder)} is in the way and is not a folder.`
  }
  return undefined
}

/** Entries that no tree holds cannot be restored, so they are listed. */
function keptRest({ changes, restFrom, restTo }: Restoring): PlannedStep[] {
  const keys = (entries: readonly RestEntry[]) =>
    new Set(entries.map(({ kind, path, content }) => `${kind}\0${path}\0${content}`))
  const [from, to] = [keys(restFrom), keys(restTo)]
  const differing = [
    ...restFrom.filter(({ kind, path, content }) => !to.has(`${kind}\0${path}\0${content}`)),
    ...restTo.filter(({ kind, path, content }) => !from.has(`${kind}\0${path}\0${content}`)),
  ].filter(({ kind }) => kind !== 'empty')
  const reasons = new Map(
    differing.map(({ kind, path }) => [path.replace(/\/$/, ''), `It is not in the tree (${kind}).`]),
  )
  const inTrees = new Set(changes.map(({ path }) => path))
  return [...reasons].filter(([path]) => !inTrees.has(path)).map(([path, reason]) => keep(path, reason))
}

function keep(path: RawPath, reason: string): PlannedStep {
  return { path, step: { path: shownRawPath(path), action: 'keep', reason } }
}

function step(path: RawPath, action: Exclude<RestoreStep['action'], 'keep'>): RestoreStep {
  return { path: shownRawPath(path), action }
}
