import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Signal } from '@loader/session-core'
import type { TreeTaken } from '@loader/session-core/coding'
import { codeOf, meaningOf } from '../paths/system-errors.ts'
import { compact } from './compact.ts'
import type { LargeFiles } from './large-files.ts'
import { countLeftOut, type LeftOutPath } from './left-out.ts'
import { lookAround } from './look-around.ts'
import type { PrivateIndex } from './private-index.ts'
import { isNeverKept, type RawPath } from './raw-path.ts'
import { doubtRecent } from './recent-entries.ts'
import { keepRest } from './rest.ts'
import { GitFailure, keepText, sideGit, type SideRepository, textOf } from './side-repository.ts'
import { sortFiles } from './sort-files.ts'
import { readStatus, type Status, statusArguments } from './status.ts'
import type { TreeLimits } from './trees-shown.ts'

export interface Taking {
  readonly side: SideRepository
  readonly index: PrivateIndex
  /** The way from the top of the work tree to the workspace: empty, or with a slash at the end. */
  readonly prefix: RawPath
  readonly limits: TreeLimits
  readonly largeFiles: LargeFiles
  /** What the user tracks although a rule ignores it. */
  readonly seeds: readonly RawPath[]
  /** Why the user's list of tracked files could not be read. */
  readonly unlisted: string | undefined
  readonly signal: Signal | undefined
}

/** Files come and go while git reads them. After so many attempts it is something else. */
const mostAttempts = 3

/**
 * The files of the workspace as a tree.
 *
 * 1. Everything that git reads is asked for by its path, after it was looked at: repositories, large and unreadable files
 *    are never handed to git, which would fail on some of them and keep the entry of before.
 * 2. Where git fails there is no tree. An index that was only half updated is never written as one.
 * 3. An entry of the index is believed only where any change since would show (`doubtRecent`).
 * 4. What was once in a tree stays in the next one while it is there, whatever ignore rules say by then.
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
  const beganMs = Date.now()
  const status = await statusOf(taking)
  const passedOver = new Set([...status.nested, ...status.ignored.filter((path) => path.endsWith('/'))])
  const around = await lookAround(side.top, prefix, passedOver, signal)
  const seeds = taking.seeds.filter((path) => path.startsWith(prefix) && !status.indexed.has(path))
  const sorted = sortFiles(side.top, new Set([...status.changed, ...status.unknown, ...seeds]), limits.largestFile)
  const files = status.indexed.size + sorted.add.length
  if (files > limits.mostFiles) return refused(`there are more than ${limits.mostFiles} files`)
  if (sorted.bytes > limits.mostBytes) return refused(`its files weigh more than ${limits.mostBytes} bytes`)
  const unreachable = entriesIn(status, around.unreadable)
  const drop = [...new Set([...status.gone, ...sorted.drop.filter((path) => status.indexed.has(path)), ...unreachable])]
  await updateIndex(taking, drop, sorted.add)
  // An index that is as it was published was doubted then.
  if (index.tree === undefined && existsSync(index.path)) await doubtRecent(side, index.path, beganMs, signal)
  const left = new Set([...status.indexed.keys(), ...sorted.add]).size - drop.length
  const id = await writeTree(taking, left)
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

/** What git or the system says has gone wrong; undefined for a fault of ours, or a wish to stop. */
export function whyRefused(error: unknown): string | undefined {
  if (error instanceof GitFailure) return error.message
  return codeOf(error) === undefined ? undefined : meaningOf(error)
}

function refused(why: string): TreeTaken {
  return { kind: 'refused', why }
}

async function statusOf({ side, index, prefix, signal }: Taking): Promise<Status> {
  const below = prefix === '' ? [] : ['--', prefix]
  const { output } = await sideGit(side, { arguments: [...statusArguments, ...below], index: index.path, signal })
  return readStatus(output)
}

function entriesIn({ indexed }: Status, folders: readonly RawPath[]): RawPath[] {
  if (folders.length === 0) return []
  return [...indexed.keys()].filter((path) => folders.some((folder) => path.startsWith(folder)))
}

/** From so many files on, their content goes into one pack instead of a file each. */
const worthPack = 64

async function updateIndex(
  { side, index, signal }: Taking,
  drop: readonly RawPath[],
  add: readonly RawPath[],
): Promise<void> {
  if (drop.length > 0) {
    const input = drop.map((path) => `0 ${'0'.repeat(40)}\t${path}\0`).join('')
    await sideGit(side, { arguments: ['update-index', '-z', '--index-info'], index: index.path, input, signal })
  }
  if (add.length > 0) {
    const packed = add.length < worthPack ? [] : ['-c', 'core.bigFileThreshold=1']
    const update = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin']
    const input = add.map((path) => `${path}\0`).join('')
    await sideGit(side, { arguments: [...packed, ...update], index: index.path, input, signal })
  }
}

async function writeTree({ side, index, prefix, signal }: Taking, files: number): Promise<string> {
  const known = index.tree
  if (known !== undefined) return known
  const write = prefix === '' ? ['write-tree'] : ['write-tree', `--prefix=${Buffer.from(prefix, 'latin1').toString()}`]
  // Git finds no tree for a folder without files.
  const request = files === 0 ? { arguments: ['mktree', '-z'], input: '' } : { arguments: write, index: index.path }
  const id = (await sideGit(side, { ...request, signal })).output.trim()
  keepText(join(side.folder, 'latest'), id)
  index.publish(id)
  await compact(side)
  return id
}

/** Begins anew from the last tree, so that what was in it stays in. */
async function rebuildIndex({ side, index, prefix, signal }: Taking): Promise<void> {
  index.reset()
  const latest = textOf(join(side.folder, 'latest'))
  if (latest === undefined) return
  const into = prefix === '' ? [] : [`--prefix=${Buffer.from(prefix, 'latin1').toString()}`]
  try {
    await sideGit(side, { arguments: ['read-tree', ...into, latest], index: index.path, signal })
  } catch (error) {
    // Without it the next tree has what a first one would have.
    if (!(error instanceof GitFailure)) throw error
    index.reset()
  }
}
