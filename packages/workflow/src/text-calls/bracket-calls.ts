import type { JsonValue } from '@loader/session-core'
import type { WrittenCall } from './calls-in-text.ts'
import { plainValue } from './function-tags.ts'

/** `[calls X tool with: key=value, …]` and `[USE X tool: key=value, …]` */
export function bracketCalls(text: string): WrittenCall[] {
  const pattern =
    /\[\s*(?:calls?|uses?)\s+(?:the\s+)?([\w.-]+)(?:\s+tool)?(?:\s+with)?\s*:\s*((?:"(?:\\.|[^"\\])*"|[^\]"])*)\]/gi
  return [...text.matchAll(pattern)].map(([, name = '', body = '']) => ({ name, input: pairsIn(body) }))
}

function pairsIn(body: string): { [key: string]: JsonValue } {
  const pair = /([A-Za-z_][\w-]*)\s*=\s*("(?:\\.|[^"\\])*"|'[^']*'|(?:(?!,\s*[A-Za-z_][\w-]*\s*=).)*)/gs
  return Object.fromEntries([...body.matchAll(pair)].map(([, key = '', value = '']) => [key, unquoted(value.trim())]))
}

function unquoted(value: string): JsonValue {
  if (value.startsWith("'") && value.endsWith("'") && value.length > 1) return value.slice(1, -1)
  return plainValue(value)
}
