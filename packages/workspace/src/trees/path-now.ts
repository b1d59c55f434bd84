import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
} from 'node:fs'
import { codeOf, meaningOf } from '../paths/system-errors.ts'
import { blobId } from '../git/object-id.ts'
import type { TreeEntry } from '../git/tree-entry.ts'
import { holdParent } from './held-parent.ts'
import { versionKey } from './private-index.ts'
import type { RawPath } from './raw-path.ts'

/** What lies at a path of the workspace right now. */
export type PathNow =
  | { readonly kind: 'absent' }
  | { readonly kind: 'folder' }
  | { readonly kind: 'entry'; readonly entry: TreeEntry; readonly version: string; readonly stats: BigIntStats }
  | { readonly kind: 'other'; readonly why: string }

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants

export function pathNow(root: string, path: RawPath, largestFile: number): PathNow {
  try {
    using parent = holdParent(root, path, 'leave')
    return parent === undefined ? { kind: 'absent' } : nowAt(parent.at, largestFile)
  } catch (error) {
    const code = codeOf(error)
    if (code === undefined) throw error
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? { kind: 'absent' }
      : { kind: 'other', why: `It cannot be read: ${meaningOf(error)}.` }
  }
}

/** What is at a name in an open folder. */
export function nowAt(at: Buffer, largestFile: number): PathNow {
  const stats = lstatSync(at, { bigint: true, throwIfNoEntry: false })
  if (stats === undefined) return { kind: 'absent' }
  if (stats.isDirectory()) return { kind: 'folder' }
  const version = versionKey(stats)
  if (stats.isSymbolicLink()) {
    return {
      kind: 'entry',
      entry: { mode: '120000', blob: blobId(readlinkSync(at, { encoding: 'buffer' })) },
      version,
      stats,
    }
  }
  if (!stats.isFile()) return { kind: 'other', why: 'A pipe, a socket or a device is there now.' }
  if (stats.size > BigInt(largestFile)) return { kind: 'other', why: 'It is too large to be in a tree now.' }
  const mode = (stats.mode & 0o100n) === 0n ? '100644' : '100755'
  return { kind: 'entry', entry: { mode, blob: blobId(contentOf(at)) }, version, stats }
}

function contentOf(at: Buffer): Buffer {
  const fd = openSync(at, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
  try {
    // If a pipe has replaced the file, reading it could block.
    return fstatSync(fd).isFile() ? readFileSync(fd) : Buffer.alloc(0)
  } finally {
    closeSync(fd)
  }
}
