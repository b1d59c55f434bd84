import { JsonObject, type JsonValue } from '@loader/session-core'

/** How large a schema may be: it goes with every request. */
const mostBytes = 32 * 1024
const deepest = 24

/** What is sent of a schema, and why it is not the schema of the server. */
export interface OfferedSchema {
  readonly schema: JsonObject
  readonly why?: string
}

/**
 * The schema as it is, where a provider takes it. A request with one that it does not take is refused whole, so such a
 * schema is replaced by one that allows everything: the server looks at the arguments anyway.
 */
export function offeredSchema(given: unknown): OfferedSchema {
  const schema = JsonObject.safeParse(given).data
  if (schema === undefined) return open('is no object')
  if (JSON.stringify(schema).length > mostBytes) return open('is too large')
  const fault = faultIn(schema)
  return fault === undefined ? { schema } : open(fault)
}

function open(why: string): OfferedSchema {
  return { schema: { type: 'object', additionalProperties: true }, why }
}

function faultIn(schema: JsonObject): string | undefined {
  if (schema['type'] !== 'object') return 'is not that of an object'
  const combined = ['anyOf', 'oneOf', 'allOf', 'not', 'enum'].find((key) => schema[key] !== undefined)
  return combined === undefined ? faultBelow(schema, 0) : `has ${combined} at its top`
}

/** Names of arguments, as providers take them. */
const argument = /^[A-Za-z0-9_.$-]{1,64}$/

function faultBelow(value: JsonValue, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > deepest) return 'is too deep'
  for (const [key, inner] of Object.entries(value)) {
    if (key === '$ref' && (typeof inner !== 'string' || !inner.startsWith('#'))) return 'refers to somewhere else'
    if (key === 'properties' && typeof inner === 'object' && inner !== null) {
      const odd = Object.keys(inner).find((name) => !argument.test(name))
      if (odd !== undefined) return 'names an argument as no provider takes it'
    }
    const fault = faultBelow(inner as JsonValue, depth + 1)
    if (fault !== undefined) return fault
  }
  return undefined
}
