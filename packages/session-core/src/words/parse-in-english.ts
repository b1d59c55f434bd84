import * as z from 'zod/mini'
import english from 'zod/v4/locales/en.js'

const words = /* @__PURE__ */ english()

/**
 * The parsed value, or an English description of what is wrong. zod/mini has no messages of its own, and zod's global
 * configuration, which could add them, belongs to the program.
 */
export function parseInEnglish<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
): z.core.util.SafeParseResult<z.output<Schema>> {
  return z.safeParse(schema, value, { error: words.localeError })
}
