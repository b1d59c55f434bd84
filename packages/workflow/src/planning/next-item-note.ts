import { excerptOf } from '@loader/session-core'
import type { Todo } from '@loader/session-core/coding'
import { phrases, says } from '../text/phrases.ts'
import { wordsOf } from '../text/words.ts'

const reviewing = phrases({ verbs: ['review, verify, check, test, validate, inspect, confirm, proofread'] })

export interface PendingWork {
  readonly todos: readonly Todo[]
  /** Planned files that are not there yet. */
  readonly missingFiles?: readonly string[]
}

/** What comes next, in words for the model; null when nothing is left. A file that is missing comes before a look back. */
export function nextItemNote({ todos, missingFiles: [missing] = [] }: PendingWork): string | null {
  const next =
    todos.find(({ status }) => status === 'in_progress')?.text ?? todos.find(({ status }) => status === 'pending')?.text
  if (missing !== undefined && (next === undefined || says(wordsOf(next).slice(0, 2), reviewing))) {
    return `The plan was brought up to date. Next: create \`${missing}\`, which the plan promises and which is not there.`
  }
  return next === undefined ? null : `The plan was brought up to date. Next: ${excerptOf(next)}`
}
