import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { Folder } from '../paths/folder.ts'
import { codeOf } from '../paths/system-errors.ts'

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants

/**
 * The content of a file in an open folder; undefined if it is not a regular file, too large, or unreadable. It never
 * blocks: a pipe in place of the file is not read.
 */
export function readHeld(folder: Folder, name: string, mostBytes: number): Uint8Array | undefined {
  let fd: number
  try {
    fd = openSync(folder.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
  try {
    const stats = fstatSync(fd)
    return stats.isFile() && stats.size <= mostBytes ? readAll(fd, stats.size, mostBytes) : undefined
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  } finally {
    closeSync(fd)
  }
}

/** Does not rely on the reported size: a file can grow while it is read, and some report zero and have content. */
function readAll(fd: number, size: number, mostBytes: number): Buffer | undefined {
  let bytes = Buffer.allocUnsafe(size + 1)
  let length = 0
  for (;;) {
    const read = readSync(fd, bytes, length, bytes.length - length, null)
    if (read === 0) return bytes.subarray(0, length)
    length += read
    if (length > mostBytes) return undefined
    if (length === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(Math.max(length, 4096))])
  }
}
