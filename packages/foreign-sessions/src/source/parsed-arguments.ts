import { JsonValue } from '@loader/session-core'

/** Parses arguments, or a document, from a JSON text; undefined when it is invalid. */
export function parsedArguments(written: string): JsonValue | undefined {
  try {
    return JsonValue.safeParse(JSON.parse(written.replace(/^\ufeff/, ''))).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
