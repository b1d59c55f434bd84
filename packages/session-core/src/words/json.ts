import * as z from 'zod/mini'

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** Deeper values are refused: serialisers recurse, and one hostile value must not crash the process. */
const deepest = 500

/** Any JSON value. Checked in place, never copied, so keys keep their order and even `__proto__` survives. */
export const JsonValue = /* @__PURE__ */ z.custom<JsonValue>(isJsonValue, 'must be a JSON value')

/** A JSON object that is not looked into, such as `metadata` and `data` of your own events. */
export type JsonObject = { readonly [key: string]: JsonValue }
export const JsonObject = /* @__PURE__ */ z.custom<JsonObject>(isJsonRecord, 'must be a JSON object')

function isJsonValue(value: unknown): boolean {
  return notJson(value) === undefined
}

export function isJsonRecord(value: unknown): boolean {
  return isJsonObject(value) && isJsonValue(value)
}

/** Something that would not be the same after it was written as JSON, and where it stands. */
export interface NotJson {
  readonly path: readonly (string | number)[]
  /** What it is, in words. */
  readonly what: string
}

/** The first such thing in a value; undefined for one that JSON can say. */
export function notJson(value: unknown, depth = 0): NotJson | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : { path: [], what: String(value) }
  if (typeof value !== 'object') return { path: [], what: typeof value }
  if (depth > deepest) return { path: [], what: 'nested too deeply' }
  if ('toJSON' in value && typeof value.toJSON === 'function') return { path: [], what: nameOf(value) }
  if (Array.isArray(value)) return notJsonIn(value.keys(), value, depth)
  return isJsonObject(value) ? notJsonIn(Object.keys(value), value, depth) : { path: [], what: nameOf(value) }
}

function notJsonIn(keys: Iterable<string | number>, values: object, depth: number): NotJson | undefined {
  for (const key of keys) {
    const value = (values as Readonly<Record<string | number, unknown>>)[key]
    // JSON leaves out a key whose value is undefined, so the value counts as JSON. A list has no such keys.
    if (value === undefined && typeof key === 'string') continue
    const found = notJson(value, depth + 1)
    if (found !== undefined) return { path: [key, ...found.path], what: found.what }
  }
  return undefined
}

function nameOf(value: object): string {
  const { constructor }: { readonly constructor?: { readonly name?: unknown } | null | undefined } = value
  return String(constructor?.name)
}

export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
