import { JsonValue } from '@loader/session-core'

/** Arguments, or a document, that are written as text; undefined when they are not JSON. */
export function parsedArguments(written: string): JsonValue | undefined {
  try {
    return JsonValue.safeParse(JSON.parse(written.replace(/^\ufeff/, ''))).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
