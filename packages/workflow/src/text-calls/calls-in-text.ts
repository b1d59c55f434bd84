import type { ToolCall } from '@loader/session-core'
import { bracketCalls, jsonBracketCalls } from './bracket-calls.ts'
import { functionTags } from './function-tags.ts'
import { jsonCalls, taggedJson } from './json-calls.ts'
import { reactCalls, withoutInputFences } from './react-calls.ts'

/** A call as it was written, before it has an id. */
export type WrittenCall = Pick<ToolCall, 'name' | 'input'>

/**
 * Calls that a model wrote into its text, in the first notation that yields any. Only names that the session offers
 * count; text inside a code fence is talk about a call, unless the answer is nothing but the fence.
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
