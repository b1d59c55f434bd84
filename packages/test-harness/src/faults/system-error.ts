import { getSystemErrorMap } from 'node:util'
import type { SystemError } from './file-system-port.ts'

/** The errors of a file system that can be simulated. */
export type SystemErrorCode =
  | 'EACCES'
  | 'EAGAIN'
  | 'EBADF'
  | 'EBUSY'
  | 'EDQUOT'
  | 'EEXIST'
  | 'EINTR'
  | 'EINVAL'
  | 'EIO'
  | 'EISDIR'
  | 'EMFILE'
  | 'ENFILE'
  | 'ENOENT'
  | 'ENOMEM'
  | 'ENOSPC'
  | 'ENOTDIR'
  | 'ENOTEMPTY'
  | 'EPERM'
  | 'EROFS'
  | 'ETIMEDOUT'

/** The call that failed, and its arguments. */
export interface FailedCall {
  readonly syscall: string
  readonly path?: string | undefined
  readonly dest?: string | undefined
}

/** An error that looks exactly like one of Node. */
export function systemError(code: SystemErrorCode, { syscall, path, dest }: FailedCall): SystemError {
  const { errno, text } = knownErrors().get(code) as KnownError
  const place = path === undefined ? '' : ` '${path}'`
  const target = dest === undefined ? '' : ` -> '${dest}'`
  const error = new Error(`${code}: ${text}, ${syscall}${place}${target}`)
  return Object.assign(error, {
    errno,
    code,
    syscall,
    ...(path !== undefined && { path }),
    ...(dest !== undefined && { dest }),
  })
}

export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'syscall' in error && 'code' in error
}

interface KnownError {
  readonly errno: number
  readonly text: string
}

let known: ReadonlyMap<string, KnownError> | undefined

function knownErrors(): ReadonlyMap<string, KnownError> {
  known ??= new Map([...getSystemErrorMap()].map(([errno, [code, text]]) => [code, { errno, text }]))
  return known
}
