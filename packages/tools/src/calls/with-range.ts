import type { JsonObject } from '@loader/session-core'
import { isList } from './is-list.ts'

/** `view_range: [first, last]`, or a first and a last line. */
export function withRange(input: JsonObject): JsonObject {
  const range = input['view_range'] ?? input['line_range']
  const [first, last] = isList(range) ? range : [input['offset'], input['end_line']]
  if (typeof first !== 'number' || typeof last !== 'number') return input
  const limit = last >= first ? { limit: last - first + 1 } : {}
  return { ...input, offset: first, ...limit }
}
