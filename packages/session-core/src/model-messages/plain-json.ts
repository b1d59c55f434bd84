import { type JsonObject, JsonValue } from '../words/json.ts'

/** JSON that the receiver owns and may change. */
export type PlainJson = string | number | boolean | null | PlainJson[] | PlainJsonObject
export type PlainJsonObject = { [key: string]: PlainJson }

/** A copy, so that a receiver who changes it cannot change a state. */
export function copyOf(value: JsonObject): PlainJsonObject
export function copyOf(value: JsonValue): PlainJson
export function copyOf(value: JsonValue): PlainJson {
  return JSON.parse(JSON.stringify(value))
}

/** The value of a JSON text, or undefined when it is invalid. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JsonValue.safeParse(JSON.parse(text)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/**
 * The value after a JSON round trip: a date becomes text, a function is dropped. Undefined when JSON cannot hold it.
 */
export function jsonOf(value: unknown): JsonValue | undefined {
  const plain = JsonValue.safeParse(value)
  if (plain.success) return plain.data
  try {
    return parseJson(JSON.stringify(value) ?? '')
  } catch (error) {
    // A cycle, a bigint, or nesting that is too deep to serialise.
    if (error instanceof TypeError || error instanceof RangeError) return undefined
    throw error
  }
}

/** The arguments of a call, or undefined when they are not JSON. Without arguments, the text may be empty. */
export function parseArguments(text: string): JsonValue | undefined {
  return text.trim() === '' ? {} : parseJson(text)
}

export function objectOf(value: PlainJson | undefined): PlainJsonObject {
  return isPlainObject(value) ? value : {}
}

export function isPlainObject(value: PlainJson | undefined): value is PlainJsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
