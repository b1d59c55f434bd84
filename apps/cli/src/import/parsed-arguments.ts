import { JsonValue } from '@loader/session-core'

/** Arguments that are written as text; undefined when they are not JSON. */
export function parsedArguments(written: string): JsonValue | undefined {
  try {
    return JsonValue.safeParse(JSON.parse(written)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
