import * as z from 'zod'

// Fields of files that other programs write and change without notice: a field of an unexpected form counts as absent.

export const text = z.string().optional().catch(undefined)
export const count = z.number().min(0).transform(Math.round).optional().catch(undefined)
export const flag = z.boolean().optional().catch(undefined)

export function loose<Schema extends z.ZodType>(schema: Schema) {
  return schema.optional().catch(undefined)
}

/** The valid items of a list; others are left out. */
export function looseList<Schema extends z.ZodType>(item: Schema) {
  return z
    .array(z.unknown())
    .optional()
    .catch(undefined)
    .transform((items = []) =>
      items.flatMap((value) => {
        const result = item.safeParse(value)
        return result.success ? [result.data] : []
      }),
    )
}

/** A time in our format; undefined if invalid. Seconds and milliseconds since 1970 are distinguished by their size. */
export function timeOf(value: string | number | undefined): string | undefined {
  if (value === undefined || value === '') return undefined
  const date = new Date(typeof value === 'number' && Math.abs(value) < 1e11 ? value * 1000 : value)
  const time = date.getTime()
  // Years with more than four digits do not fit the format of a timestamp.
  return Number.isNaN(time) || time < 0 || time > 253_402_300_799_999 ? undefined : date.toISOString()
}

/** An object with the field, or without it when the value is undefined. */
export function given<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [Key in Name]?: Value })
}
