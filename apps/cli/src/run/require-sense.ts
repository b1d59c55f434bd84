import type { SessionState } from '@loader/session-core'
import { UsageError } from '../arguments/usage-error.ts'
import type { Given } from '../arguments/given.ts'
import type { Beginning } from './beginning.ts'
import { modeOfRun, modesDiffer } from './mode-of-run.ts'

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
  if (modesDiffer(given)) refuse('--permission-mode plan is --mode plan, and another --mode is given as well.')
  if (given.values('check').some((command) => command.trim() === '')) {
    refuse('--check needs a command that shows whether the task is done, such as --check "npm test".')
  }
  if (given.has('json') && given.value('output-format') !== undefined && given.value('output-format') !== 'json') {
    refuse('--json is --output-format json, and another format is given as well.')
  }
  if (given.value('input-format') === 'stream-json' && given.value('output-format') !== 'stream-json') {
    refuse('--input-format stream-json goes with --output-format stream-json: every message gets its result.')
  }
  if (given.value('output-last-message') === '') refuse('-o needs the name of a file for the answer.')
  if (given.values('image').includes('')) refuse('--image needs the name of a file.')
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
  if (given.has('image')) refuse('--image goes with a task, and none was given.')
  if (modeOfRun(given) !== undefined || given.has('check'))
    refuse('--mode and --check go with a task, and none was given.')
  if (before === undefined || (!fork && !given.has('name'))) return
  if (before.turn === null && before.queue.length === 0) refuse(nothingOpen(before.id))
}

export function nothingOpen(id: string): string {
  return `Session ${id} has no open turn to go on with: give a task.`
}

function refuse(why: string): never {
  throw new UsageError(why, '')
}
