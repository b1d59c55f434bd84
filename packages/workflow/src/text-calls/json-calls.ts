import * as z from 'zod'
import { JsonObject, type JsonValue } from '@loader/session-core'
import type { WrittenCall } from './calls-in-text.ts'

const Written = z
  .object({
    name: z.string().min(1),
    arguments: z.union([JsonObject, z.string()]).optional(),
    parameters: z.optional(JsonObject),
    args: z.optional(JsonObject),
    params: z.optional(JsonObject),
  })
  .transform(({ name, ...rest }, context): WrittenCall => {
    const input = rest.arguments ?? rest.parameters ?? rest.args ?? rest.params
    const object = typeof input === 'string' ? parsed(input) : input
    if (object !== null && typeof object === 'object' && !Array.isArray(object)) return { name, input: object }
    context.addIssue('a call has arguments')
    return z.NEVER
  })

/** `<tool_call>{json}</tool_call>` */
export function taggedJson(text: string): WrittenCall[] {
  return [...text.matchAll(/<tool_call>([\s\S]*?)(?:<\/tool_call>|$)/g)].flatMap(([, body = '']) => jsonCalls(body))
}

/** Objects in the text with a name and arguments. */
export function jsonCalls(text: string): WrittenCall[] {
  const calls: WrittenCall[] = []
  for (const candidate of objectsIn(text)) {
    const call = Written.safeParse(candidate)
    if (call.success) calls.push(call.data)
  }
  return calls
}

/** The outermost JSON objects of a text, in order; other text is skipped. */
function objectsIn(text: string): JsonValue[] {
  const found: JsonValue[] = []
  let misses = 0
  for (let start = text.indexOf('{'); start >= 0 && misses < mostMisses; start = text.indexOf('{', start + 1)) {
    const end = endOfObject(text, start)
    const value = end === undefined ? undefined : parsed(text.slice(start, end))
    if (end === undefined || value === undefined) {
      misses++
      continue
    }
    found.push(value)
    start = end - 1
  }
  return found
}

/** The JSON object that begins at this position of a text. */
export function objectAt(text: string, start: number): JsonObject | undefined {
  const end = text[start] === '{' ? endOfObject(text, start) : undefined
  return end === undefined ? undefined : JsonObject.safeParse(parsed(text.slice(start, end))).data
}

/** Longer objects are not parsed, so that a text full of braces does not take quadratic time. */
const longestObject = 200_000
const mostMisses = 100
/** The most calls that are read from one answer, because each takes time up to the length of an object. */
export const mostCalls = 100

function endOfObject(text: string, start: number): number | undefined {
  let depth = 0
  let inString = false
  const limit = Math.min(text.length, start + longestObject)
  for (let index = start; index < limit; index++) {
    const sign = text[index]
    if (inString) {
      if (sign === '\\') index++
      else if (sign === '"') inString = false
    } else if (sign === '"') inString = true
    else if (sign === '{') depth++
    else if (sign === '}' && --depth === 0) return index + 1
  }
  return undefined
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
