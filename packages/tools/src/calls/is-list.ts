import type { JsonValue } from '@loader/session-core'

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}
