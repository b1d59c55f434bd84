import { LoaderError } from '@loader/session-core'
import { NotAFile } from './only-files.ts'

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const refused = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'])
const tooManyFiles = new Set(['EMFILE', 'ENFILE'])
const outOfMemory = new Set(['ENOMEM', 'ENOBUFS'])
/** The system did not get to it. Whether a call that changes something took effect is not known of these. */
const delayed = new Set(['ETIMEDOUT', 'EBUSY', 'ESTALE'])
/** The same, and nothing happened. */
const notBegun = new Set(['EAGAIN', 'EINTR'])
const passing = new Set([...tooManyFiles, ...outOfMemory, ...delayed, ...notBegun])

/** As Node names the calls that leave everything as it was when they fail. */
const looking = new Set(['open', 'read', 'stat', 'lstat', 'fstat', 'statfs', 'scandir'])
const flushing = new Set(['fsync', 'fdatasync'])

function syscallOf(error: unknown): string {
  return error instanceof Error && 'syscall' in error && typeof error.syscall === 'string' ? error.syscall : ''
}

/**
 * Whether an error says nothing of the file: the system was out of something, was interrupted, or took too long, and the
 * same call may succeed the next time. What fails like this is never told as damage.
 */
export function isPassing(error: unknown): boolean {
  return !LoaderError.is(error) && passing.has(codeOf(error) ?? '')
}

/** Whether a failed call left everything as it was, so that one can go on. */
export function isRefusal(error: unknown): boolean {
  const code = codeOf(error)
  if (code === undefined || LoaderError.is(error)) return false
  if (full.has(code) || refused.has(code) || looking.has(syscallOf(error))) return true
  // A flush that failed may have lost what it was to write, whatever the reason.
  return passing.has(code) && !delayed.has(code) && !flushing.has(syscallOf(error))
}

/** A refused write, as the session is told about it. */
export function refusal(error: unknown, what: string, path: string): LoaderError {
  if (LoaderError.is(error)) return error
  const options = { cause: error }
  if (full.has(codeOf(error) ?? '')) {
    return new LoaderError(
      'storage_full',
      `There is no space left to ${what} (${path}). Nothing of it was kept. Free some space and try again.`,
      options,
    )
  }
  return new LoaderError(
    'storage_refused',
    `The file system does not let us ${what} (${reasonOf(error, path)}). Nothing of it was kept. ${adviceFor(error)}`,
    options,
  )
}

/** The file that the system named is the one to look at. */
function reasonOf(error: unknown, path: string): string {
  if (error instanceof NotAFile) return error.message
  const named = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : path
  return `${named}: ${codeOf(error) ?? String(error)}`
}

function adviceFor(error: unknown): string {
  const code = codeOf(error) ?? ''
  if (error instanceof NotAFile) return 'Move it away, or put back the file that was there, and try again.'
  if (code === 'ELOOP') return 'It is a link that leads to itself: remove it, or put back the file that was there.'
  if (refused.has(code)) return 'Check the permissions, and that the folder is not read-only.'
  if (tooManyFiles.has(code)) return 'Too many files are open: close some, or raise the limit, and try again.'
  if (outOfMemory.has(code)) return 'The system is short of memory: close something, and try again.'
  return isPassing(error) ? 'It may pass: try again.' : 'Check the disk, and try again.'
}

/** The error that the caller of a failed write gets. One that is not from the file system is returned as it is. */
export function unwritten(error: unknown, what: string, path: string): unknown {
  if (isRefusal(error)) return refusal(error, what, path)
  return codeOf(error) === undefined ? error : uncertain(error, what, path)
}

/** A read that failed. Nothing was changed by it. */
export function unreadable(error: unknown, what: string, path: string): unknown {
  const code = codeOf(error)
  if (LoaderError.is(error) || code === undefined) return error
  return new LoaderError(
    'storage_refused',
    `The file system does not let us ${what} (${reasonOf(error, path)}). Nothing was changed. ${adviceFor(error)}`,
    { cause: error },
  )
}

export function uncertain(error: unknown, what: string, path: string): LoaderError {
  if (LoaderError.is(error)) return error
  return new LoaderError(
    'storage_uncertain',
    `It failed to ${what} (${path}: ${codeOf(error) ?? String(error)}), and it is uncertain what reached the disk. ` +
      'Nothing more is written here; load the session again to see what it holds.',
    { cause: error },
  )
}
