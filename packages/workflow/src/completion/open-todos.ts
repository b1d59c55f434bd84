import { type SessionState, shownText } from '@loader/session-core'
import type { Todo } from '@loader/session-core/coding'
import { wordsOf } from '../routing/words.ts'
import { findsNothingToDo } from './answer-words.ts'

/** What is still to be done. An item that only repeats the task is none when there was nothing to do. */
export function openTodos({ todos, task }: SessionState, answer: string): readonly Todo[] {
  const open = todos.filter(({ status }) => status !== 'completed')
  if (open.length === 0 || !findsNothingToDo(answer)) return open
  const asked = new Set(wordsOf(shownText(task ?? '')))
  return open.filter(({ text }) => !wordsOf(text).every((word) => asked.has(word)))
}
