import { JsonObject, JsonValue } from '@loader/session-core'
import { adapted } from './adapted.ts'
import { toolAliases, type ToolAliases } from './tool-aliases.ts'

export interface CanonicalCall {
  readonly name: string
  readonly input: JsonValue
}

/**
 * A call in the words of our tools, whichever of the usual ones the model chose. What is not known stays as it is, so
 * that whoever examines the call can say what is wrong with it. Calls in our words come out unchanged.
 */
export function canonicalCall(name: string, input: JsonValue): CanonicalCall {
  const own = editorCommand(name, input) ?? byName.get(plain(name))
  if (own === undefined) return { name, input }
  const aliases = toolAliases[own] as ToolAliases
  const object = typeof input === 'string' ? { [aliases.main]: input } : JsonObject.safeParse(input).data
  if (object === undefined) return { name: own, input }
  return { name: own, input: adapted(own, plain(name), renamed(object, aliases)) }
}

const byName: ReadonlyMap<string, string> = new Map(
  Object.entries(toolAliases).flatMap(([own, { names }]) => [own, ...names].map((name) => [plain(name), own] as const)),
)

/** `read_file`, `ReadFile` and `functions.read-file` are one name. */
function plain(name: string): string {
  return name
    .replace(/^(functions|tools|default_api)[.:]/, '')
    .toLowerCase()
    .replaceAll(/[_\-. ]/g, '')
}

const editors: ReadonlySet<string> = new Set(['strreplaceeditor', 'strreplacebasededittool', 'texteditor', 'editor'])
const editorCommands: ReadonlyMap<string, string> = new Map([
  ['view', 'read'],
  ['create', 'write'],
  ['str_replace', 'edit'],
])

/** One tool for several things, told apart by an argument. */
function editorCommand(name: string, input: JsonValue): string | undefined {
  const command = JsonObject.safeParse(input).data?.['command']
  return editors.has(plain(name)) && typeof command === 'string' ? editorCommands.get(command) : undefined
}

function renamed(input: JsonObject, aliases: ToolAliases): JsonObject {
  const given = new Map(Object.entries(input).filter(([, value]) => value !== null && value !== undefined))
  const taken = new Set<string>()
  const result: Record<string, JsonValue> = {}
  for (const [own, others] of Object.entries(aliases.arguments)) {
    const key = [own, ...others].map((alias) => keyLike(given, alias, taken)).find((found) => found !== undefined)
    if (key === undefined) continue
    taken.add(key)
    result[own] = converted(own, given.get(key) as JsonValue, aliases)
  }
  for (const [key, value] of given) if (!taken.has(key)) result[key] ??= converted(key, value, aliases)
  return result
}

function keyLike(given: ReadonlyMap<string, JsonValue>, alias: string, taken: ReadonlySet<string>): string | undefined {
  if (given.has(alias) && !taken.has(alias)) return alias
  return [...given.keys()].find((key) => !taken.has(key) && plain(key) === plain(alias))
}

/** Numbers, flags and lists that come as text. */
function converted(key: string, value: JsonValue, { numbers, flags, lists }: ToolAliases): JsonValue {
  if (typeof value !== 'string') return value
  if (numbers?.includes(key) && /^\s*\d+(\.\d+)?\s*$/.test(value)) return Number(value)
  if (flags?.includes(key) && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  return lists?.includes(key) ? (listIn(value) ?? value) : value
}

function listIn(text: string): JsonValue | undefined {
  try {
    const value = JsonValue.parse(JSON.parse(text))
    return Array.isArray(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
