import { LoaderError } from '@loader/session-core'
import type { Disk } from './disk.ts'
import { codeOf } from './file-errors.ts'

let count = 0

/** A name beside the target that no other writer, living or dead, has used. */
export function temporaryName(target: string): string {
  count += 1
  return `${target}.${process.pid}-${process.hrtime.bigint().toString(36)}-${count}.tmp`
}

/** What a file will hold: at once, or in pieces that are made one by one. */
export type FileContent = Uint8Array | Iterable<Uint8Array>

/** Writes a new file with this content, durable but for its name, and returns it open, with how long it is. */
export async function writeTemporary(
  disk: Disk,
  target: string,
  content: FileContent,
): Promise<{ path: string; fd: number; bytes: number }> {
  const path = temporaryName(target)
  const fd = disk.openNew(path)
  try {
    let bytes = 0
    for (const piece of content instanceof Uint8Array ? [content] : content) {
      disk.writeAll(fd, piece, bytes)
      bytes += piece.length
    }
    await disk.flush(fd)
    return { path, fd, bytes }
  } catch (error) {
    disk.fs.closeSync(fd)
    disk.removeIfThere(path)
    throw error
  }
}

/**
 * Gives a new file its name. `stillOurs` is asked right before, and throws when it must not. A process that takes over
 * removes files that others have not put in place yet, so a file that is gone means that this one was displaced.
 */
export async function putInPlace(disk: Disk, from: string, to: string, stillOurs: () => void): Promise<void> {
  stillOurs()
  try {
    await disk.rename(from, to)
  } catch (error) {
    requireStillOurs(stillOurs)
    throw error
  }
}

/** Throws what `stillOurs` throws, but not that it cannot be asked: then the error of the rename is reported. */
function requireStillOurs(stillOurs: () => void): void {
  try {
    stillOurs()
  } catch (error) {
    if (LoaderError.is(error) || codeOf(error) === undefined) throw error
  }
}

/**
 * Puts new content under a name, whole or not at all, and durably. `stillOurs` is asked right before the name changes
 * hands, and throws when it must not. Resolves with how long it is.
 */
export async function replaceFile(
  disk: Disk,
  { path, directory, bytes, stillOurs }: { path: string; directory: string; bytes: FileContent; stillOurs: () => void },
): Promise<number> {
  using names = disk.openDirectory(directory)
  const temporary = await writeTemporary(disk, path, bytes)
  try {
    disk.fs.closeSync(temporary.fd)
    await putInPlace(disk, temporary.path, path, stillOurs)
  } catch (error) {
    disk.removeIfThere(temporary.path)
    throw error
  }
  await names.flush()
  return temporary.bytes
}
