import { type BigIntStats, closeSync, constants, lstatSync, openSync } from 'node:fs'
import { codeOf } from '../paths/system-errors.ts'
import { rawBytes } from './raw-bytes.ts'
import { isNeverKept, isUnstorable, type RawPath } from './raw-path.ts'

/** Files that may have changed, by what has to be done with them. */
export interface SortedFiles {
  /** To be read into the tree. */
  readonly add: readonly RawPath[]
  /** Missing, or of a kind that a tree cannot hold. */
  readonly drop: readonly RawPath[]
  readonly large: readonly { readonly path: RawPath; readonly stats: BigIntStats }[]
  readonly unreadable: readonly RawPath[]
  readonly unstorable: readonly RawPath[]
  /** The total size of the files to add. */
  readonly bytes: number
}

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants

export function sortFiles(top: string, paths: Iterable<RawPath>, largestFile: number): SortedFiles {
  const sorted = {
    add: [] as RawPath[],
    drop: [] as RawPath[],
    large: [] as { path: RawPath; stats: BigIntStats }[],
    unreadable: [] as RawPath[],
    unstorable: [] as RawPath[],
  }
  let bytes = 0
  const start = Buffer.from(`${top}/`)
  for (const path of paths) {
    if (isNeverKept(path)) continue
    const at = Buffer.concat([start, rawBytes(path)])
    const stats = statsOf(at)
    if (stats === 'unreadable') sorted.unreadable.push(path)
    else if (stats !== undefined && isUnstorable(path, stats.isSymbolicLink() ? 'link' : 'file'))
      sorted.unstorable.push(path)
    else if (stats?.isSymbolicLink()) sorted.add.push(path)
    else if (!stats?.isFile()) sorted.drop.push(path)
    else if (stats.size > BigInt(largestFile)) sorted.large.push({ path, stats })
    else if (!isReadable(at)) sorted.unreadable.push(path)
    else {
      sorted.add.push(path)
      bytes += Number(stats.size)
    }
  }
  const { large, unreadable, unstorable } = sorted
  sorted.drop.push(...large.map(({ path }) => path), ...unreadable, ...unstorable)
  return { ...sorted, bytes }
}

function statsOf(path: Buffer): BigIntStats | 'unreadable' | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    const code = codeOf(error)
    if (code === undefined) throw error
    return code === 'ENOTDIR' || code === 'ELOOP' ? undefined : 'unreadable'
  }
}

/** A pipe may have replaced the file: opening it must not block. */
function isReadable(path: Buffer): boolean {
  try {
    closeSync(openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY))
    return true
  } catch (error) {
    const code = codeOf(error)
    // These errors mean that resources ran out and do not concern the file; git itself notices a file that is gone.
    if (code === undefined || ['EMFILE', 'ENFILE', 'ENOMEM'].includes(code)) throw error
    return code === 'ENOENT' || code === 'ELOOP'
  }
}
