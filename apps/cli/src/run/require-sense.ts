import type { SessionState } from '@loader/session-core'
import { UsageError } from '../arguments/usage-error.ts'
import type { Given } from '../arguments/given.ts'
import type { Beginning } from './begin.ts'

/** Rejects contradicting options before a session is created or claimed. */
export function requireSense({ given, piped, audience }: Beginning): void {
  const resumes = given.has('continue') || given.has('resume')
  if (given.has('continue') && given.has('resume'))
    refuse('-c and -r are both given; -r names the session, -c takes the latest.')
  if (given.has('fork') && !resumes) refuse('--fork copies a session: say which, with -c or -r.')
  if (given.has('take-over') && !resumes) refuse('--take-over takes a session over: say which, with -c or -r.')
  if (given.has('take-over') && given.has('fork'))
    refuse('--fork copies a session, which needs nothing taken over: leave out --take-over.')
  if (given.has('ephemeral') && resumes) refuse('--ephemeral keeps nothing, so it cannot go on with a stored session.')
  if (given.values('check').some((command) => command.trim() === '')) {
    refuse('--check needs a command that shows whether the task is done, such as --check "npm test".')
  }
  if (given.value('output-last-message') === '') refuse('-o needs the name of a file for the answer.')
  const isTold = piped.trim() !== '' || given.words.some((word) => word !== '' && word !== '-')
  if (audience === 'nobody' && !resumes && !isTold) {
    refuse('There is nothing to do: give a task, as words or through standard input.')
  }
}

/**
 * Without a task there must be an open turn to continue. Checked before a session is copied or renamed, so that a
 * rejected command line has no effect.
 */
export function requireWork(before: SessionState | undefined, { fork }: { readonly fork?: true }, given: Given): void {
  if (given.has('mode') || given.has('check')) refuse('--mode and --check go with a task, and none was given.')
  if (before === undefined || (!fork && !given.has('name'))) return
  if (before.turn === null && before.queue.length === 0) refuse(nothingOpen(before.id))
}

export function nothingOpen(id: string): string {
  return `Session ${id} has no open turn to go on with: give a task.`
}

function refuse(why: string): never {
  throw new UsageError(why, '')
}
