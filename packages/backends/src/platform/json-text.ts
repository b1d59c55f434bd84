import { JsonObject, JsonValue, type ToolCall } from '@loader/session-core'

/** The value of a text, or undefined when it is no JSON. */
export function jsonIn(text: string): JsonValue | undefined {
  try {
    return JsonValue.safeParse(JSON.parse(text)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/**
 * The arguments of a call as a model wrote them. Everything that is no JSON object stays as the text that it is, for
 * whoever tells the model about it; without arguments the text may be empty.
 */
export function argumentsIn(text: string): Pick<ToolCall, 'input' | 'malformed'> {
  if (text.trim() === '') return { input: {} }
  const input = JsonObject.safeParse(jsonIn(text)).data
  return input === undefined ? { input: {}, malformed: text } : { input }
}
