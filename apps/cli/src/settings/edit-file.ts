import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { LoaderError } from '@loader/session-core'
import { textOfFile } from './text-of-file.ts'

/** How often to retry when another process changed the file in between. */
const mostAttempts = 5

/**
 * Replaces a small file of the user atomically: readers see the old or the new content. `edit` receives its text, or
 * undefined if there is no file. It may throw or return undefined to leave the file as it is.
 */
export function editFile(file: string, edit: (text: string | undefined) => string | undefined): void {
  // A link stays a link; its target is replaced.
  const place = existsSync(file) ? realpathSync(file) : file
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const before = textOfFile(place)
    const after = edit(before)
    if (after === undefined || after === before) return
    if (replace(place, before, after)) return
  }
  throw new LoaderError('storage_refused', `${file} kept being changed by another program. Try again.`)
}

/** False if another process changed the file meanwhile. */
function replace(file: string, before: string | undefined, after: string): boolean {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const mode = before === undefined ? 0o600 : statSync(file).mode & 0o777
  const written = `${file}.${randomUUID()}.new`
  const descriptor = openSync(written, 'wx', mode)
  try {
    writeWhole(descriptor, after, file)
    if (textOfFile(file) !== before) return false
    renameSync(written, file)
    return true
  } finally {
    rmSync(written, { force: true })
  }
}

/** Whole or not at all: on a disk that is almost full a single write may take only the beginning. */
function writeWhole(descriptor: number, text: string, file: string): void {
  try {
    writeFileSync(descriptor, text)
    fsyncSync(descriptor)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const isFull = 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
    const why = isFull ? 'there is no space left for it' : error.message
    throw new LoaderError(
      isFull ? 'storage_full' : 'storage_refused',
      `${file} could not be changed: ${why}. It is as it was.`,
      { cause: error },
    )
  } finally {
    closeSync(descriptor)
  }
}
