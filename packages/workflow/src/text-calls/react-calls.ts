import type { WrittenCall } from './calls-in-text.ts'
import { mostCalls, objectAt } from './json-calls.ts'

const action = /^[ \t]*(?:\*\*)?Action:(?:\*\*)?[ \t]*[`"]?([\w.-]+)[`"]?[ \t]*(?:\(\))?[ \t]*$/gim
const input = /^\s*(?:\*\*)?Action[ _]Input:(?:\*\*)?\s*/i

/**
 * `Action: X` with an object after `Action Input:` in the next line. A call after an `Observation:` is ignored, because
 * the model made up the observation that it rests on.
 */
export function reactCalls(text: string): WrittenCall[] {
  const made = text.search(/^[ \t]*(?:\*\*)?Observation\b.*:/im)
  const own = made < 0 ? text : text.slice(0, made)
  return [...own.matchAll(action)].slice(0, mostCalls).flatMap(({ 0: { length }, 1: name = '', index }) => {
    const rest = own.slice(index + length)
    const label = input.exec(rest)
    if (label === null) return []
    const object = objectAt(rest, label[0].length)
    return object === undefined ? [] : [{ name, input: object }]
  })
}

/** A code fence around the input of an action does not mark an example. */
export function withoutInputFences(text: string): string {
  return text.replace(
    /^([ \t]*(?:\*\*)?Action[ _]Input:(?:\*\*)?[ \t]*\n?)[ \t]*```[^\n]*\n([\s\S]*?)\n[ \t]*```/gim,
    '$1$2',
  )
}
