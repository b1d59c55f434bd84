import type { ToolCall } from '@loader/session-core'
import { bracketCalls, jsonBracketCalls } from './bracket-calls.ts'
import { functionTags } from './function-tags.ts'
import { jsonCalls, taggedJson } from './json-calls.ts'
import { reactCalls, withoutInputFences } from './react-calls.ts'

/** A call as written, before it has an id. */
export type WrittenCall = Pick<ToolCall, 'name' | 'input'>

/**
 * Calls that a model wrote into its text, in the first notation that matches. Only tools of the session count. A call
 * inside a code fence is an example, unless the answer consists of the fence alone.
 */
export function callsInText(text: string, names: readonly string[]): WrittenCall[] {
  const known = new Map(names.map((name) => [name.toLowerCase(), name]))
  if (known.size === 0) return []
  const spoken = withoutFences(withoutInputFences(text))
  for (const read of [functionTags, taggedJson, reactCalls, jsonBracketCalls, jsonCalls, bracketCalls]) {
    const calls = read(spoken).flatMap(({ name, input }) => {
      const canonical = known.get(name.toLowerCase())
      return canonical === undefined ? [] : [{ name: canonical, input }]
    })
    if (calls.length > 0) return calls
  }
  return []
}

const fence = /^[ \t]*```[^\n]*\n([\s\S]*?)^[ \t]*```[ \t]*$/gm

function withoutFences(text: string): string {
  const outside = text.replace(fence, '')
  if (outside.trim() !== '') return outside
  return text.replace(fence, '$1')
}
