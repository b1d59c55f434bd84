import { isObject, show } from '../history-faults/check.ts'
import { jsonType } from './body-faults.ts'
import type { WireTool } from './wire-request.ts'

/** A fault in a tool, from which each provider makes its own error message. */
export interface ToolFault {
  readonly index: number
  readonly name: string
  readonly kind: 'name' | 'duplicate' | 'type' | 'schema'
  /** The path within the schema. */
  readonly path: readonly string[]
  readonly message: string
}

const types: readonly unknown[] = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']
const deepest = 100

export function toolFaults(tools: readonly WireTool[], wellFormed: RegExp): ToolFault[] {
  return tools.flatMap(({ name, schema }, index): ToolFault[] => {
    const at = { index, name, path: [] }
    if (!wellFormed.test(name))
      return [{ ...at, kind: 'name', message: `${JSON.stringify(name)} is not a name of a tool` }]
    if (tools.findIndex((tool) => tool.name === name) < index)
      return [{ ...at, kind: 'duplicate', message: `another tool has the name ${name}` }]
    if (!isObject(schema) || schema['type'] !== 'object')
      return [{ ...at, kind: 'type', message: `the arguments have the type ${shownType(schema)}, not object` }]
    const fault = schemaFault(schema, [])
    return fault ? [{ ...at, ...fault, kind: 'schema' }] : []
  })
}

function shownType(schema: unknown): string {
  return show(isObject(schema) ? schema['type'] : schema)
}

interface SchemaFault {
  readonly path: readonly string[]
  readonly message: string
}

/** The first reason why this is not a valid JSON Schema. */
function schemaFault(schema: unknown, path: readonly string[]): SchemaFault | undefined {
  if (typeof schema === 'boolean') return undefined
  if (!isObject(schema)) return { path, message: `${jsonType(schema)} stands where a schema belongs` }
  if (path.length > deepest) return { path: path.slice(0, 3), message: 'the schema is too deep' }
  return keywordFault(schema, path) ?? first(below(schema), ([key, part]) => schemaFault(part, [...path, ...key]))
}

function keywordFault(schema: Readonly<Record<string, unknown>>, path: readonly string[]): SchemaFault | undefined {
  const { type, properties, required, enum: values, anyOf, oneOf, allOf } = schema
  const named = type === undefined ? [] : Array.isArray(type) ? type : [type]
  const unknown = named.find((one) => !types.includes(one))
  if (unknown !== undefined) return { path, message: `${JSON.stringify(unknown)} is no type` }
  if (properties !== undefined && !isObject(properties)) return { path, message: 'properties is not an object' }
  if (required !== undefined && !isListOf(required, (item) => typeof item === 'string'))
    return { path, message: 'required is not a list of names' }
  if (values !== undefined && !isListOf(values, () => true)) return { path, message: 'enum is not a list' }
  const isEmptyChoice = (choice: unknown) => choice !== undefined && !(Array.isArray(choice) && choice.length > 0)
  if ([anyOf, oneOf, allOf].some(isEmptyChoice))
    return { path, message: 'a choice of schemas is not a list of schemas' }
  return undefined
}

/** The schemas within a schema, with their paths. */
function below(schema: Readonly<Record<string, unknown>>): [string[], unknown][] {
  const { properties, items, additionalProperties, anyOf, oneOf, allOf, $defs } = schema
  const named = (key: string, group: unknown): [string[], unknown][] =>
    isObject(group) ? Object.entries(group).map(([name, part]) => [[key, name], part]) : []
  const listed = (key: string, group: unknown): [string[], unknown][] =>
    Array.isArray(group) ? group.map((part, at) => [[key, String(at)], part]) : []
  const single = (key: string, part: unknown): [string[], unknown][] => (part === undefined ? [] : [[[key], part]])
  return [
    ...named('properties', properties),
    ...named('$defs', $defs),
    ...(Array.isArray(items) ? listed('items', items) : single('items', items)),
    ...single('additionalProperties', additionalProperties),
    ...listed('anyOf', anyOf),
    ...listed('oneOf', oneOf),
    ...listed('allOf', allOf),
  ]
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem)
}

function first<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}
