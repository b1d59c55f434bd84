import { join } from 'node:path'
import { LoaderError, type Signal } from '@loader/session-core'
import type { TreeTaken } from '@loader/session-core/coding'
import { type IndexEntry, noLooks, UnknownIndex } from '../git/index-file.ts'
import { codeOf, meaningOf } from '../paths/system-errors.ts'
import { treeEntries, foldersOf } from './ask-side.ts'
import { compact } from './compact.ts'
import { doubtRecent } from './doubt-recent.ts'
import { keepContents } from './keep-contents.ts'
import { storeTree } from './store-tree.ts'
import type { LargeFiles } from './large-files.ts'
import { countLeftOut, type LeftOutPath } from './left-out.ts'
import { type WorkspaceStatus, look } from './look.ts'
import type { PrivateIndex } from './private-index.ts'
import { foldersAbove, isNeverKept, type RawPath } from './raw-path.ts'
import { keepRest } from './rest.ts'
import { GitFailure, keepText, type SideRepository, textOf } from './side-repository.ts'
import { sortFiles } from './sort-files.ts'
import type { Status } from './status.ts'
import type { TreeLimits } from './trees-shown.ts'

export interface Taking {
  readonly side: SideRepository
  readonly index: PrivateIndex
  /** The path from the top of the work tree to the workspace: empty, or with a slash at the end. */
  readonly prefix: RawPath
  readonly limits: TreeLimits
  readonly largeFiles: LargeFiles
  /** Files that the user tracks although a rule ignores them. */
  readonly seeds: readonly RawPath[]
  /** Why the user's list of tracked files could not be read. */
  readonly unlisted: string | undefined
  readonly signal: Signal | undefined
  /** Called with what was seen, if the file list of the last tree has no effect on what is ignored. */
  readonly onLook: (look: WorkspaceStatus, large: readonly RawPath[]) => void
}

/** Files come and go while git reads them. After this many attempts the cause must be another one. */
const mostAttempts = 3

/**
 * The files of the workspace as a tree.
 *
 * 1. Everything that git reads is passed to it by path, after it was checked: repositories, large and unreadable files
 *    are never passed, because git would fail on some of them and keep the previous entry.
 * 2. If git fails, there is no tree. A partly updated index is never written as one.
 * 3. The stat data of an index entry is relied on only where any change since would show (`doubtRecent`).
 * 4. A file that was once in a tree stays in the next one while it exists, whatever ignore rules say by then.
 */
export async function takeTree(taking: Taking): Promise<TreeTaken> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      taking.index.begin()
      return await attemptTree(taking)
    } catch (error) {
      const why = whyRefused(error)
      if (why === undefined) throw error
      if (attempt === mostAttempts) return refused(why)
      if (attempt > 1) await rebuildIndex(taking)
    }
  }
}

async function attemptTree(taking: Taking): Promise<TreeTaken> {
  const { side, index, prefix, limits, signal } = taking
  const looked = await look(taking)
  const { beganMs, status, around } = looked
  const seeds = taking.seeds.filter((path) => path.startsWith(prefix) && !status.indexed.has(path))
  const sorted = sortFiles(side.top, new Set([...status.changed, ...status.unknown, ...seeds]), limits.largestFile)
  const files = status.indexed.size + sorted.add.length
  if (files > limits.mostFiles) return refused(`there are more than ${limits.mostFiles} files`)
  if (sorted.bytes > limits.mostBytes) return refused(`its files weigh more than ${limits.mostBytes} bytes`)
  const unreachable = entriesIn(status, around.unreadable)
  const drop = [...new Set([...status.gone, ...sorted.drop.filter((path) => status.indexed.has(path)), ...unreachable])]
  const known = drop.length === 0 && sorted.add.length === 0 ? index.tree : undefined
  const id = await keepAll(taking, { drop, add: sorted.add, known, beganMs })
  if (seeds.length === 0 && !drop.some((path) => mayHide(path.slice(prefix.length), status, prefix))) {
    taking.onLook(
      looked,
      sorted.large.map(({ path }) => path),
    )
  }
  const hashes = await taking.largeFiles.hashes(side.top, sorted.large, signal)
  const leftOut: LeftOutPath[] = [
    ...status.ignored.filter((path) => !seeds.includes(path)).map((path) => ({ kind: 'ignored' as const, path })),
    ...sorted.large.map(({ path }) => ({ kind: 'large' as const, path, content: hashes.get(path) ?? '' })),
    ...[...new Set([...status.nested, ...around.repositories])].map((path) => ({ kind: 'nested' as const, path })),
    ...around.empty.map((path) => ({ kind: 'empty' as const, path })),
    ...around.special.map((path) => ({ kind: 'special' as const, path })),
    ...[...sorted.unreadable, ...around.unreadable].map((path) => ({ kind: 'unreadable' as const, path })),
    ...sorted.unstorable.map((path) => ({ kind: 'unstorable' as const, path })),
    ...(taking.unlisted === undefined ? [] : [{ kind: 'unlisted' as const, path: prefix + taking.unlisted }]),
  ].filter(({ path }) => !isNeverKept(path))
  const rest = await keepRest(side, prefix, leftOut)
  return { kind: 'taken', tree: { id, rest, leftOut: countLeftOut(prefix, leftOut) } }
}

/**
 * Whether git may list ignored paths differently without this entry: it reports a folder as a whole only if no entry of
 * the index lies in it.
 */
function mayHide(path: RawPath, { ignored }: Status, prefix: RawPath): boolean {
  const top = path.slice(0, path.indexOf('/') + 1)
  return top !== '' && ignored.some((other) => other.startsWith(prefix + top))
}

/** The reason if git or the system failed; undefined for a bug of ours, or a cancellation. */
export function whyRefused(error: unknown): string | undefined {
  if (error instanceof GitFailure || error instanceof UnknownIndex) return error.message
  return codeOf(error) === undefined ? undefined : meaningOf(error)
}

function refused(why: string): TreeTaken {
  return { kind: 'refused', why }
}

function entriesIn({ indexed }: Status, folders: readonly RawPath[]): RawPath[] {
  if (folders.length === 0) return []
  return [...indexed.keys()].filter((path) => folders.some((folder) => path.startsWith(folder)))
}

interface Found {
  readonly drop: readonly RawPath[]
  readonly add: readonly RawPath[]
  /** The tree, if no entry has changed. */
  readonly known: string | undefined
  readonly beganMs: number
}

async function keepAll(taking: Taking, found: Found): Promise<string> {
  const { side, index } = taking
  // A published index that is unchanged had its recent files cleared already.
  if (found.known !== undefined && index.isPublished) return found.known
  const entries = await updateIndex(taking, found)
  const id = found.known ?? (await writeTree(taking, entries))
  keepText(join(side.folder, 'latest'), id)
  index.publish(id)
  return id
}

/** Updates the index with all changes, and clears the stat data that cannot be relied on. */
async function updateIndex(
  { side, index, signal }: Taking,
  { drop, add, beganMs }: Found,
): Promise<ReadonlyMap<RawPath, IndexEntry>> {
  const kept = await keepContents(side, side.top, add, signal)
  const entries = index.read()
  const size = entries.size
  for (const path of [...drop, ...add]) entries.delete(path)
  if (kept.size > 0) {
    // A file cannot exist beside a folder of the same name.
    for (const path of entries.keys()) if (foldersAbove(path).some((folder) => kept.has(folder))) entries.delete(path)
    for (const path of kept.keys()) for (const folder of foldersAbove(path)) entries.delete(folder)
    for (const [path, entry] of kept) entries.set(path, entry)
  }
  const isDoubted = doubtRecent(entries, beganMs)
  if (isDoubted || kept.size > 0 || entries.size !== size) index.write(entries)
  return entries
}

async function writeTree({ side, prefix }: Taking, entries: ReadonlyMap<RawPath, IndexEntry>): Promise<string> {
  const latest = textOf(join(side.folder, 'latest'))
  const within = [...entries].flatMap(([path, entry]) =>
    path.startsWith(prefix) ? [[path.slice(prefix.length), entry] as const] : [],
  )
  // The latest tree is never pruned, so its folders are safe.
  const id = await storeTree(side, within, latest === undefined ? new Set() : await foldersOf(side, latest))
  await compact(side)
  return id
}

/** Makes the index anew from the last tree, so that files once in it stay in. */
async function rebuildIndex({ side, index, prefix }: Taking): Promise<void> {
  index.reset()
  const latest = textOf(join(side.folder, 'latest'))
  if (latest === undefined) return
  try {
    const entries = [...(await treeEntries(side, latest))].map(
      ([path, { mode, blob }]) => [prefix + path, { mode, blob, looks: noLooks(mode) }] as const,
    )
    index.write(new Map(entries))
  } catch (error) {
    // Without the last tree, the next one contains what a first tree would.
    if (!(error instanceof GitFailure) && !LoaderError.is(error, 'blob_missing')) throw error
  }
}
