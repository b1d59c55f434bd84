import * as z from 'zod/mini'
import english from 'zod/v4/locales/en.js'

const words = /* @__PURE__ */ english()

/**
 * The value as the schema makes it, or what is wrong with it in words. zod/mini comes without any, and the configuration
 * of zod, which could give it some, belongs to the program.
 */
export function parseInEnglish<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
): z.core.util.SafeParseResult<z.output<Schema>> {
  return z.safeParse(schema, value, { error: words.localeError })
}
