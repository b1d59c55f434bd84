import { LoaderError } from '@loader/session-core'
import { inText } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import type { Console } from '../console/console.ts'
import { errorText } from '../console/error-text.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printNotes } from '../screen/notes.ts'

/** Prints an error and returns its exit code. */
export function failed(error: unknown, given: Given, console: Console): ExitCode {
  const { stderr } = console
  printNotes(console, [errorText(error)])
  if (error instanceof UsageError && error.command) stderr.write(`Try: loader ${error.command} --help\n`)
  if (given.has('debug') && error instanceof Error) stderr.write(`${inText(error.stack ?? '')}\n`)
  return exitCodeOfError(error)
}

/** The exit code of an error. */
export function exitCodeOfError(error: unknown): ExitCode {
  if (error instanceof UsageError) return 'usage'
  if (!LoaderError.is(error)) return 'failure'
  switch (error.code) {
    case 'invalid_config':
    case 'invalid_id':
      return 'usage'
    case 'session_busy':
    case 'writer_fenced':
      return 'busy'
    case 'session_damaged':
    case 'invalid_state':
    case 'blob_missing':
      return 'damaged'
    default:
      return 'failure'
  }
}
