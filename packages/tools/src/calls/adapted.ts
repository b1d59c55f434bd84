import { JsonObject, type JsonValue } from '@loader/session-core'

/** What a table of names cannot say: arguments that have another shape under another name. */
export function adapted(tool: string, calledAs: string, input: JsonObject): JsonObject {
  switch (tool) {
    case 'read':
      return withRange(input)
    case 'bash':
      return withSeconds(withCommandText(input))
    case 'git':
      return withAction(input)
    case 'todo_write':
      return withTodos(input)
    case 'ask_user':
      return withOneQuestion(input)
    case 'glob':
      return calledAs === 'glob' || input['pattern'] !== undefined ? input : { ...input, pattern: '*' }
    default:
      return input
  }
}

/** `view_range: [first, last]`, or a first and a last line. */
function withRange(input: JsonObject): JsonObject {
  const range = input['view_range'] ?? input['line_range']
  const [first, last] = isList(range) ? range : [input['offset'], input['end_line']]
  if (typeof first !== 'number' || typeof last !== 'number') return input
  const limit = last >= first ? { limit: last - first + 1 } : {}
  return { ...input, offset: first, ...limit }
}

/** `["bash", "-lc", "ls"]` is how some models call a shell. */
function withCommandText(input: JsonObject): JsonObject {
  const { command } = input
  if (!isList(command)) return input
  const words = command.filter((word) => typeof word === 'string')
  const [shell, option, script, ...rest] = words
  const isShell = /^(.*\/)?(ba|z|da)?sh$/.test(shell ?? '') && /^-l?c$/.test(option ?? '')
  if (isShell && script !== undefined && rest.length === 0) return { ...input, command: script }
  return words.length === command.length ? { ...input, command: words.map(quoted).join(' ') } : input
}

/** Longer than this nobody waits: such a number counts milliseconds. */
const mostSeconds = 3600

function withSeconds(input: JsonObject): JsonObject {
  const timeout = input['timeout'] ?? input['timeout_ms'] ?? input['timeoutMs']
  const isMilliseconds = input['timeout'] === undefined || Number(timeout) > mostSeconds
  return typeof timeout === 'number' && isMilliseconds ? { ...input, timeout: Math.ceil(timeout / 1000) } : input
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** `git log --oneline` in one text. What has quotes in it is not taken apart. */
function withAction(input: JsonObject): JsonObject {
  const { action, args } = input
  if (typeof args === 'string') return withAction({ ...input, args: args.split(/\s+/).filter((word) => word !== '') })
  if (typeof action !== 'string' || /["'\\]/.test(action)) return input
  const [first, ...rest] = action
    .replace(/^\s*git\s+/, '')
    .trim()
    .split(/\s+/)
  return {
    ...input,
    action: first ?? action,
    ...(rest.length > 0 && { args: [...rest, ...(isList(args) ? args : [])] }),
  }
}

function withTodos(input: JsonObject): JsonObject {
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

/** Some ask several questions at once; here it is one after the other, so the first is asked. */
function withOneQuestion(input: JsonObject): JsonObject {
  const [first] = isList(input['questions']) ? input['questions'] : []
  const object = JsonObject.safeParse(first).data
  if (input['question'] !== undefined || object === undefined) return input
  const { header, ...rest } = object
  return { ...rest, ...(header !== undefined && { title: header }) }
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}
