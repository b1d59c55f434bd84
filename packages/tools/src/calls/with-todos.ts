import { JsonObject, type JsonValue } from '@loader/session-core'
import { isList } from './is-list.ts'

export function withTodos(input: JsonObject): JsonObject {
  const { todos } = input
  return isList(todos) ? { ...input, todos: todos.map(todo) } : input
}

const statuses: ReadonlyMap<string, string> = new Map([
  ['done', 'completed'],
  ['complete', 'completed'],
  ['doing', 'in_progress'],
  ['active', 'in_progress'],
  ['inprogress', 'in_progress'],
  ['todo', 'pending'],
  ['open', 'pending'],
])

function todo(item: JsonValue): JsonValue {
  if (typeof item === 'string') return { content: item, status: 'pending' }
  const object = JsonObject.safeParse(item).data
  if (object === undefined) return item
  const { step, text, title, task, description, activeForm, ...rest } = object
  const content = rest['content'] ?? step ?? text ?? title ?? task ?? description
  const { status = 'pending' } = rest
  const known =
    typeof status === 'string' ? (statuses.get(status.toLowerCase().replaceAll(/[-_ ]/g, '')) ?? status) : status
  return {
    ...rest,
    ...(content !== undefined && { content }),
    ...(activeForm !== undefined && { active_form: activeForm }),
    status: known,
  }
}
