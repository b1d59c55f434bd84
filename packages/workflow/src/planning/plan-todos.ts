import { excerptOf } from '@loader/session-core'
import type { Todo } from '@loader/session-core/coding'
import { normalized } from '../text/normalized.ts'

const mostTodos = 8
const longestTodo = 200

/** The first steps of a plan as todos, behind those that are kept. A step that is kept already is not added again. */
export function planTodos(steps: readonly string[], kept: readonly Todo[] = []): Todo[] {
  const known = new Set(kept.map(({ text }) => normalized(text)))
  const texts = steps.map((step) => excerptOf(step.replace(/^\[[ xX]\]\s+/, ''), longestTodo))
  const added = texts.filter((text) => {
    const key = normalized(text)
    const isNew = key !== '' && !known.has(key)
    known.add(key)
    return isNew
  })
  const first = 1 + Math.max(0, ...kept.map(({ id }) => Number(/^plan-(\d{1,9})$/.exec(id)?.[1] ?? 0)))
  return [
    ...kept,
    ...added.slice(0, mostTodos).map((text, index) => ({
      id: `plan-${first + index}`,
      text,
      activeText: `Working on: ${text}`,
      status: 'pending' as const,
    })),
  ]
}
