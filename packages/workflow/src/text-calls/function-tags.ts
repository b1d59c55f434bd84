import type { JsonValue } from '@loader/session-core'
import type { WrittenCall } from './calls-in-text.ts'

/** `<function=name><parameter=key>value</parameter></function>` */
export function functionTags(text: string): WrittenCall[] {
  return [...text.matchAll(/<function=([\w.-]+)>([\s\S]*?)<\/function>/g)].map(([, name = '', body = '']) => ({
    name,
    input: Object.fromEntries(
      [...body.matchAll(/<parameter=([\w.-]+)>([\s\S]*?)<\/parameter>/g)].map(([, key = '', value = '']) => [
        key,
        plainValue(value.replace(/^\n|\n$/g, '')),
      ]),
    ),
  }))
}

/** Parses numbers, booleans, objects and arrays; everything else is text. */
export function plainValue(text: string): JsonValue {
  if (!/^(-?\d|true$|false$|null$|[[{"])/.test(text.trim())) return text
  try {
    return JSON.parse(text) as JsonValue
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}
