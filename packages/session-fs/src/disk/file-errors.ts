import { LoaderError } from '@loader/session-core'

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const refused = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'])
const exhausted = new Set(['EMFILE', 'ENFILE'])

/** Whether a failed call left everything as it was, so that one can go on. */
export function isRefusal(error: unknown): boolean {
  const code = codeOf(error)
  return code !== undefined && (full.has(code) || refused.has(code) || exhausted.has(code))
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
  const advice = exhausted.has(codeOf(error) ?? '')
    ? 'Too many files are open: close some, or raise the limit.'
    : 'Check the permissions, and that the folder is not read-only.'
  return new LoaderError(
    'storage_refused',
    `The file system does not let us ${what} (${path}: ${codeOf(error)}). Nothing of it was kept. ${advice}`,
    options,
  )
}

/** What a failed write means for whoever asked for it. What is no error of the file system stays what it is. */
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
    `The file system does not let us ${what} (${path}: ${code}). Nothing was changed. Check the permissions and the ` +
      'disk, and try again.',
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
