import type { JsonObject } from '@loader/session-core'

/** Longer than this nobody waits: such a number counts milliseconds. */
const mostSeconds = 3600

export function withSeconds(input: JsonObject): JsonObject {
  const timeout = input['timeout'] ?? input['timeout_ms'] ?? input['timeoutMs']
  const isMilliseconds = input['timeout'] === undefined || Number(timeout) > mostSeconds
  return typeof timeout === 'number' && isMilliseconds ? { ...input, timeout: Math.ceil(timeout / 1000) } : input
}
