import type { JsonValue } from '@loader/session-core'
import { inOneLine } from './terminal-text.ts'

/** Arguments that describe a call best, for many tools; the first one present is used. */
const telling = ['command', 'cmd', 'file_path', 'path', 'pattern', 'question', 'url', 'query', 'prompt', 'description']

/** A call in one line: the tool, and its main argument. */
export function callTitle({ name, input }: { readonly name: string; readonly input: JsonValue }): string {
  return inOneLine(`${name} ${subjectOf(input)}`.trimEnd())
}

function subjectOf(input: JsonValue): string {
  if (typeof input === 'string') return input
  if (input === null || typeof input !== 'object') return String(input)
  const found = telling.map((key) => argument(input, key)).find((value) => typeof value === 'string')
  if (typeof found === 'string') return found
  const values = Object.values(input)
  // Lists and objects are not shown in a title.
  return values.length === 0 || values.some((value) => typeof value === 'object' && value !== null)
    ? ''
    : JSON.stringify(input)
}

function argument(input: object, key: string): unknown {
  return Object.entries(input).find(([name]) => name === key)?.[1]
}
