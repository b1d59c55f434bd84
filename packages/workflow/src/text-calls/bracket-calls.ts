import type { JsonValue } from '@loader/session-core'
import type { WrittenCall } from './calls-in-text.ts'
import { plainValue } from './function-tags.ts'
import { mostCalls, objectAt } from './json-calls.ts'

/** `[calls X tool with: {json}]`, `[USE X tool: {json}]`, and `[TOOL_CALLS]X{json}`. The JSON may contain brackets. */
export function jsonBracketCalls(text: string): WrittenCall[] {
  const pattern =
    /\[\s*(?:calls?|uses?)\s+(?:the\s+)?([\w.-]+)(?:\s+tool)?(?:\s+with)?\s*:\s*(?=\{)|\[TOOL_CALLS\]\s*([\w.-]+)\s*(?:\[ARGS\]\s*)?(?=\{)/gi
  return [...text.matchAll(pattern)]
    .slice(0, mostCalls)
    .flatMap(({ 0: { length }, 1: called, 2: named = '', index }) => {
      const input = objectAt(text, index + length)
      return input === undefined ? [] : [{ name: called ?? named, input }]
    })
}

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
