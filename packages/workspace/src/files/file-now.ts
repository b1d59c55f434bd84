import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, read, readSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { type Folder, openFolder } from '../paths/folder.ts'
import { codeOf, meaningOf } from '../paths/system-errors.ts'
import { LoaderError } from '@loader/session-core'
import { largestFile } from './text.ts'

/** A file at one moment. */
export interface FileNow {
  readonly bytes: Uint8Array
  /** Permission bits. */
  readonly mode: number
  readonly version: FileVersion
}

/**
 * Identifies a version of a file. Equal versions: the same file with the same content, as far as the system can tell.
 */
export interface FileVersion {
  readonly dev: bigint
  readonly ino: bigint
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
  readonly mode: number
  readonly uid: number
  readonly gid: number
  readonly links: number
}

export type FileLook =
  | { readonly kind: 'file'; readonly file: FileNow }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly why: string }

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants

/**
 * Reads the whole file at a real path, of at most so many bytes, without following a link that was put there meanwhile.
 */
export async function readFileNow(path: string, most: number = largestFile): Promise<FileLook> {
  try {
    using folder = openFolder(dirname(path))
    return await readIn(folder, basename(path), most)
  } catch (error) {
    if (LoaderError.is(error)) return isMissing(error.cause) ? { kind: 'absent' } : unreadable(error.message)
    throw error
  }
}

async function readIn(folder: Folder, name: string, most: number): Promise<FileLook> {
  try {
    const there = versionIn(folder, name)
    if (there === undefined) return { kind: 'absent' }
    if (there === 'no file') return unreadable('it is not a regular file')
    using file = openFile(folder, name)
    const stats = fstatSync(file.fd, { bigint: true })
    if (!stats.isFile()) return unreadable('it is not a regular file')
    const bytes = await readAll(file.fd, Number(stats.size), most)
    if (bytes === undefined) return unreadable(`it is larger than ${most / 1024 / 1024} MiB`)
    return { kind: 'file', file: { bytes, mode: Number(stats.mode) & 0o7777, version: versionOf(stats) } }
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return isMissing(error) ? { kind: 'absent' } : unreadable(meaningOf(error))
  }
}

/** The file may have become a pipe or a device: opening it must not block, nor make it our controlling terminal. */
function openFile(folder: Folder, name: string): Disposable & { readonly fd: number } {
  const fd = openSync(folder.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
  return { fd, [Symbol.dispose]: () => closeSync(fd) }
}

/** The version of the entry with this name, without opening it. */
export function versionIn(folder: Folder, name: string): FileVersion | 'no file' | undefined {
  const stats = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false })
  if (stats === undefined) return undefined
  return stats.isFile() ? versionOf(stats) : 'no file'
}

export function isSameVersion(one: FileVersion, other: FileVersion): boolean {
  return (
    one.dev === other.dev &&
    one.ino === other.ino &&
    one.size === other.size &&
    one.mtimeNs === other.mtimeNs &&
    one.ctimeNs === other.ctimeNs
  )
}

function versionOf(stats: BigIntStats): FileVersion {
  const { dev, ino, size, mtimeNs, ctimeNs, mode, uid, gid, nlink } = stats
  return {
    dev,
    ino,
    size,
    mtimeNs,
    ctimeNs,
    mode: Number(mode) & 0o7777,
    uid: Number(uid),
    gid: Number(gid),
    links: Number(nlink),
  }
}

/** Up to this size, reading at once is faster than handing the work to another thread. */
const readAtOnce = 256 * 1024

/** All bytes, or undefined if there are too many. The reported size is unreliable: some files report zero. */
async function readAll(fd: number, size: number, most: number): Promise<Uint8Array | undefined> {
  if (size > most) return undefined
  let bytes = Buffer.allocUnsafe(size + 1)
  let length = 0
  for (;;) {
    const wanted = bytes.length - length
    const count = wanted <= readAtOnce ? readSync(fd, bytes, length, wanted, null) : await readInPool(fd, bytes, length)
    if (count === 0) return bytes.subarray(0, length)
    length += count
    if (length > most) return undefined
    if (length === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(Math.max(length, 64 * 1024))])
  }
}

function readInPool(fd: number, bytes: Uint8Array, offset: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, bytes, offset, bytes.length - offset, null, (error, count) => (error ? reject(error) : resolve(count)))
  })
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR'
}

function unreadable(why: string): FileLook {
  return { kind: 'unreadable', why }
}
