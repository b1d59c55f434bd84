import * as z from 'zod/mini'

/** A field that may be absent; a value of another kind counts as absent. */
export function maybe<Schema extends z.ZodMiniType>(schema: Schema) {
  return orAbsent(z.optional(schema))
}

/** The same for a schema that says itself what may be absent. */
export function orAbsent<Schema extends z.ZodMiniType<unknown>>(schema: Schema) {
  // Called as `z.catch` it looks like that of a promise; taken out of `z` as a whole, it brings all of zod into a bundle.
  const orElse = z.catch
  return orElse(schema, undefined as z.output<Schema>)
}
