import { JsonObject, JsonValue, type ToolCall } from '@loader/session-core'

/** The value of a JSON text, or undefined when it is invalid. */
export function jsonIn(text: string): JsonValue | undefined {
  try {
    return JsonValue.safeParse(JSON.parse(text)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/**
 * The arguments of a call as a model wrote them. Text that is not a JSON object is kept as `malformed`, so that the
 * error can be reported to the model; empty text means no arguments.
 */
export function argumentsIn(text: string): Pick<ToolCall, 'input' | 'malformed'> {
  if (text.trim() === '') return { input: {} }
  const input = JsonObject.safeParse(jsonIn(text)).data
  return input === undefined ? { input: {}, malformed: text } : { input }
}
