import { fchmodSync, fchownSync, fstatSync, linkSync, renameSync, unlinkSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { LoaderError } from '@loader/session-core'
import type { Folder } from '../paths/folder.ts'
import { codeOf, meaningOf } from '../paths/system-errors.ts'
import { type FileVersion, isSameVersion, versionIn } from './file-now.ts'
import { removeLeftovers, temporaryName } from './temporary.ts'

interface Replacement {
  readonly bytes: Uint8Array
  /** Permission bits. Absent means the default for new files. */
  readonly mode?: number | undefined
  /** The version that must still be there right before the replacement; undefined when no file may be there. */
  readonly expected: FileVersion | undefined
}

/**
 * Puts new content under a name: whole or not at all, and on the disk when it resolves.
 *
 * 1. At every instant the name refers to the old file or to the new one.
 * 2. A file that is not the expected version is not replaced. For a new file the system itself ensures that; an
 *    existing one is compared right before the rename.
 * 3. When it rejects with `storage_refused` or `storage_full`, the name still refers to what it did before.
 */
export async function replaceFile(folder: Folder, name: string, replacement: Replacement): Promise<void> {
  const temporary = temporaryName(name)
  try {
    requireExpected(folder, name, replacement.expected)
    removeLeftovers(folder, name)
    await writeTemporary(folder, temporary, replacement)
    folder.requireStanding()
    requireExpected(folder, name, replacement.expected)
    if (replacement.expected === undefined) giveName(folder, temporary, name)
    else renameSync(folder.at(temporary), folder.at(name))
  } catch (error) {
    removeIfThere(folder.at(temporary))
    throw refusal(error, `${folder.path}/${name}`)
  }
  await settle(folder, name)
}

/** Removes a file, durably. */
export async function removeFile(folder: Folder, name: string, expected: FileVersion): Promise<void> {
  try {
    folder.requireStanding()
    requireExpected(folder, name, expected)
    unlinkSync(folder.at(name))
  } catch (error) {
    throw refusal(error, `${folder.path}/${name}`)
  }
  await settle(folder, name)
}

/** The name has been changed by now: a failure from here on leaves open whether the change is durable. */
async function settle(folder: Folder, name: string): Promise<void> {
  try {
    await folder.sync()
    folder.requireStanding()
  } catch (error) {
    if (!LoaderError.is(error) && codeOf(error) === undefined) throw error
    const why = LoaderError.is(error) ? error.message : meaningOf(error)
    const message = `${folder.path}/${name} was changed, but it is uncertain whether that lasts: ${why} Look at it again.`
    throw new LoaderError('storage_uncertain', message, { cause: error })
  }
}

async function writeTemporary(folder: Folder, name: string, { bytes, mode, expected }: Replacement): Promise<void> {
  await using handle = await open(folder.at(name), 'wx', mode === undefined ? 0o666 : 0o600)
  await handle.writeFile(bytes)
  const kept = expected === undefined || keepOwner(handle.fd, expected)
  // A new owner must not inherit setuid and setgid bits of the former owner.
  if (mode !== undefined) fchmodSync(handle.fd, kept ? mode : mode & 0o777)
  await handle.sync()
}

/** Gives the file its former owner; false if that failed. Only the superuser can give files away. */
function keepOwner(fd: number, { uid, gid }: FileVersion): boolean {
  const ours = fstatSync(fd)
  if (ours.uid === uid && ours.gid === gid) return true
  try {
    fchownSync(fd, uid, gid)
    return true
  } catch (error) {
    if (codeOf(error) === 'EPERM') return false
    throw error
  }
}

/** For a new file: `link` fails if the name is taken, where a rename would replace the other file. */
function giveName(folder: Folder, temporary: string, name: string): void {
  try {
    linkSync(folder.at(temporary), folder.at(name))
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(error) ?? '')) throw error
    // This file system has no links, so a gap of microseconds remains.
    return renameSync(folder.at(temporary), folder.at(name))
  }
  unlinkSync(folder.at(temporary))
}

function requireExpected(folder: Folder, name: string, expected: FileVersion | undefined): void {
  const now = versionIn(folder, name)
  if (now === expected) return
  if (typeof now === 'object' && expected !== undefined && isSameVersion(now, expected)) return
  const what = expected === undefined ? 'has come to be' : 'was changed'
  throw new LoaderError(
    'storage_refused',
    `${folder.path}/${name} ${what} by another program in the meantime, and was left alone. Read it again.`,
  )
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

function refusal(error: unknown, path: string): unknown {
  const code = codeOf(error)
  if (LoaderError.is(error) || code === undefined) return error
  if (code === 'EEXIST') {
    return new LoaderError('storage_refused', `${path} has come to be in the meantime, and was left alone. Read it.`)
  }
  const full = code === 'ENOSPC' || code === 'EDQUOT'
  const message = `${path} was not changed: ${meaningOf(error)}.`
  return new LoaderError(full ? 'storage_full' : 'storage_refused', message, { cause: error })
}
