import * as z from 'zod'

/** A fault in a field of a body, from which each provider makes its own error message. */
export interface BodyFault {
  readonly path: readonly (string | number)[]
  /** A `rule` concerns several fields, and its message says everything. */
  readonly kind: 'missing' | 'type' | 'value' | 'rule'
  /** The expected type: string, number, integer, boolean, array, object. */
  readonly expected: string
  readonly got: string
  /** A message that fits any provider. */
  readonly message: string
}

export type ReadBody<Schema extends z.ZodType> =
  | { readonly read: z.infer<Schema> }
  | { readonly faults: readonly BodyFault[] }

export function readBody<Schema extends z.ZodType>(schema: Schema, body: unknown): ReadBody<Schema> {
  const result = schema.safeParse(body, { reportInput: true })
  return result.success ? { read: result.data } : { faults: result.error.issues.map(faultOf) }
}

/** The names that providers use for the types of JSON. */
export function jsonType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}

function faultOf(issue: z.core.$ZodIssue): BodyFault {
  const path = issue.path.filter((key) => typeof key !== 'symbol')
  const at = { path, expected: expectedBy(issue), got: jsonType(issue.input), message: issue.message }
  if (issue.code === 'custom') return { ...at, kind: 'rule' }
  if (issue.input === undefined) return { ...at, kind: 'missing' }
  // An array is allowed here, so one of its items is wrong.
  if (issue.code === 'invalid_union' && Array.isArray(issue.input))
    return { ...at, kind: 'value', message: 'a part of the list is not well formed' }
  return { ...at, kind: issue.code === 'invalid_type' || issue.code === 'invalid_union' ? 'type' : 'value' }
}

function expectedBy(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_union') return 'string or array'
  if (issue.code !== 'invalid_type') return 'value'
  return issue.expected === 'int' ? 'integer' : issue.expected
}
