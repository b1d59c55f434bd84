import { JsonObject, JsonValue } from '@loader/session-core'
import type { Tool, ToolAliases } from '@loader/session-core/coding'
import { namedTool, plainName } from './named-tool.ts'
import { describeTools } from './tool-descriptions.ts'

export interface CanonicalCall {
  readonly name: string
  readonly input: JsonValue
}

/**
 * A call with the tool's own names for tool and arguments, whichever aliases the model used. Unknown names stay as they
 * are, so that the tool's `examine` can report them.
 */
export function canonicalCall(tools: readonly Tool[], name: string, input: JsonValue): CanonicalCall {
  const found = namedTool(tools, name, input)
  if (found === undefined) return { name, input }
  const { tool, by } = found
  const { aliases } = tool
  if (aliases === undefined) return { name: tool.name, input }
  const object = typeof input === 'string' ? { [aliases.main]: input } : JsonObject.safeParse(input).data
  if (object === undefined) return { name: tool.name, input }
  const spelled = renamed(object, aliases, argumentTypes(tool))
  return { name: tool.name, input: aliases.adapt?.(spelled, by) ?? spelled }
}

type ArgumentTypes = ReadonlyMap<string, unknown>

const knownTypes = new WeakMap<Tool, ArgumentTypes>()

/** The type of each argument, as models are told. Read off the tool once, because every call asks. */
function argumentTypes(tool: Tool): ArgumentTypes {
  const known = knownTypes.get(tool) ?? describedTypes(tool)
  knownTypes.set(tool, known)
  return known
}

function describedTypes(tool: Tool): ArgumentTypes {
  const [description] = describeTools([tool])
  const properties = JsonObject.safeParse(description?.inputSchema['properties']).data ?? {}
  return new Map(
    Object.entries(properties).map(([key, schema]) => [key, JsonObject.safeParse(schema).data?.['type']] as const),
  )
}

function renamed(input: JsonObject, aliases: ToolAliases, types: ArgumentTypes): JsonObject {
  const given = new Map(Object.entries(input).filter(([, value]) => value !== null && value !== undefined))
  const taken = new Set<string>()
  const result: Record<string, JsonValue> = {}
  for (const [own, others] of Object.entries(aliases.arguments)) {
    const key = [own, ...others].map((alias) => keyLike(given, alias, taken)).find((found) => found !== undefined)
    if (key === undefined) continue
    taken.add(key)
    result[own] = converted(given.get(key) as JsonValue, types.get(own))
  }
  for (const [key, value] of given) if (!taken.has(key)) result[key] ??= converted(value, types.get(key))
  return result
}

function keyLike(given: ReadonlyMap<string, JsonValue>, alias: string, taken: ReadonlySet<string>): string | undefined {
  if (given.has(alias) && !taken.has(alias)) return alias
  return [...given.keys()].find((key) => !taken.has(key) && plainName(key) === plainName(alias))
}

/** Converts numbers, booleans and lists that were sent as text. */
function converted(value: JsonValue, type: unknown): JsonValue {
  if (typeof value !== 'string') return value
  switch (type) {
    case 'integer':
    case 'number':
      return /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
    case 'boolean':
      return /^(true|false)$/i.test(value) ? value.toLowerCase() === 'true' : value
    case 'array':
      return listIn(value) ?? value
    default:
      return value
  }
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
