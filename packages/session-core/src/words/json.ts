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
  return isJson(value, 0)
}

export function isJsonRecord(value: unknown): boolean {
  return isJsonObject(value) && isJson(value, 0)
}

function isJson(value: unknown, depth: number): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (depth > deepest) return false
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1))
  if (!isJsonObject(value)) return false
  // JSON leaves out a key whose value is undefined, so the value counts as JSON.
  return Object.values(value).every((item) => item === undefined || isJson(item, depth + 1))
}

export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
