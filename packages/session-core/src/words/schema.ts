import * as z from 'zod'

/**
 * `z.object` whose fields are made when they are first looked at. Importing this package names hundreds of schemas, of
 * which a program parses with a few.
 *
 * What a module makes at its top is marked pure, here and everywhere in this package, so that a bundler can leave it out.
 * The mark is about one call and not about its arguments: other calls belong into a function.
 */
export function lazyObject<Shape extends z.core.$ZodLooseShape>(
  fields: () => Shape,
): z.ZodObject<z.util.Writeable<Shape>, z.core.$strip> {
  return new z.ZodObject(whenNeeded(fields)) as z.ZodObject<z.util.Writeable<Shape>, z.core.$strip>
}

/** The same, with other fields let through. */
export function lazyLooseObject<Shape extends z.core.$ZodLooseShape>(
  fields: () => Shape,
): z.ZodObject<z.util.Writeable<Shape>, z.core.$loose> {
  return new z.ZodObject(whenNeeded(fields, z.unknown())) as z.ZodObject<z.util.Writeable<Shape>, z.core.$loose>
}

/** zod asks a definition for its shape when it needs it, and takes a getter for that. */
function whenNeeded(fields: () => z.core.$ZodLooseShape, catchall?: z.ZodType): z.core.$ZodObjectDef {
  let made: z.core.$ZodLooseShape | undefined
  return {
    type: 'object',
    catchall,
    get shape() {
      made ??= fields()
      return made
    },
  }
}
