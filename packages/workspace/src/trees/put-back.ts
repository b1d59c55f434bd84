import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { LoaderError } from '@loader/session-core'
import { removeLeftovers, temporaryName } from '../files/temporary.ts'
import { codeOf } from '../paths/system-errors.ts'
import type { TreeEntry } from '../git/tree-entry.ts'
import type { HeldParent } from './held-parent.ts'
import type { PathNow } from './path-now.ts'
import { versionKey } from './private-index.ts'

type Replaced = Extract<PathNow, { kind: 'entry' | 'absent' }>

/**
 * Puts a file or a link of a tree under a name: whole or not at all. The name is durable once its folder is flushed.
 *
 * 1. At every instant the name refers to the old entry or to the new one.
 * 2. An entry that is not as expected is not replaced. If no entry is expected, the system itself ensures that;
 *    otherwise the entry is compared right before the rename.
 */
export function putBack(parent: HeldParent, entry: TreeEntry, content: Buffer, expected: Replaced): void {
  sweepLeftovers(parent)
  const temporary = parent.beside(temporaryName('tree'))
  try {
    if (entry.mode === '120000') symlinkSync(content, temporary)
    else writeTemporary(temporary, entry, content, expected)
    requireExpected(parent.at, expected)
    if (expected.kind === 'absent') giveName(temporary, parent.at)
    else renameSync(temporary, parent.at)
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Removes temporary files of a killed restore in this folder. */
export function sweepLeftovers(parent: HeldParent): void {
  removeLeftovers({ at: (name) => parent.beside(name).toString() }, 'tree')
}

export function takeAway(parent: HeldParent, expected: Replaced): void {
  requireExpected(parent.at, expected)
  unlinkSync(parent.at)
}

function writeTemporary(path: Buffer, { mode }: TreeEntry, content: Buffer, expected: Replaced): void {
  const executable = mode === '100755'
  const fd = openSync(path, 'wx', expected.kind === 'entry' ? 0o600 : executable ? 0o777 : 0o666)
  try {
    for (let start = 0; start < content.length;) start += writeSync(fd, content, start)
    if (expected.kind === 'entry' && expected.stats.isFile()) keepRights(fd, expected.stats, executable)
    else if (expected.kind === 'entry') fchmodSync(fd, (executable ? 0o777 : 0o666) & ~process.umask())
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/**
 * Owner and read permission stay as they were; the executable bit comes from the tree, for those who may read the file.
 */
function keepRights(
  fd: number,
  { uid, gid, mode }: Extract<Replaced, { kind: 'entry' }>['stats'],
  executable: boolean,
): void {
  try {
    fchownSync(fd, Number(uid), Number(gid))
  } catch (error) {
    if (codeOf(error) !== 'EPERM') throw error
  }
  const bits = Number(mode) & 0o777
  fchmodSync(fd, executable ? bits | 0o100 | ((bits & 0o044) >> 2) : bits & 0o666)
}

function requireExpected(at: Buffer, expected: Replaced): void {
  const stats = lstatSync(at, { bigint: true, throwIfNoEntry: false })
  const version = stats && versionKey(stats)
  if (version === (expected.kind === 'entry' ? expected.version : undefined)) return
  throw new LoaderError('storage_refused', 'It was changed in this very moment.')
}

/** For a new file: `link` fails if the name is taken, where a rename would replace the other file. */
function giveName(from: Buffer, to: Buffer): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(error) ?? '')) throw error
    // This file system has no links, so a gap of microseconds remains.
    renameSync(from, to)
  }
}
