import { $constructor, $ZodObjectJIT } from 'zod/v4/core'
import * as z from 'zod/mini'

// What a module makes at its top is marked pure, here and everywhere in this package, so that a bundler can leave it out.
// The mark is about one call and not about its arguments: each of them needs its own, or belongs into a function.

/**
 * An object of zod/mini that is parsed by code made for its fields, as objects of zod are. One of zod/mini itself takes
 * twice as long.
 */
const CompiledObject = /* @__PURE__ */ $constructor<z.ZodMiniObject>('CompiledObject', (schema, definition) => {
  const mini: $constructor<z.ZodMiniObject> = z.ZodMiniObject
  $ZodObjectJIT.init(schema, definition)
  mini.init(schema, definition)
})

type ObjectOf<Shape extends z.core.$ZodLooseShape, Others extends z.core.$ZodObjectConfig> = z.ZodMiniObject<
  z.core.util.Writeable<Shape>,
  Others
>

/** An object with these fields. Others are left out of what parsing makes. */
export function object<Shape extends z.core.$ZodLooseShape>(shape: Shape): ObjectOf<Shape, z.core.$strip> {
  return new CompiledObject({ type: 'object', shape }) as ObjectOf<Shape, z.core.$strip>
}

/** The same, with other fields let through. */
export function looseObject<Shape extends z.core.$ZodLooseShape>(shape: Shape): ObjectOf<Shape, z.core.$loose> {
  return new CompiledObject({ type: 'object', shape, catchall: z.unknown() }) as ObjectOf<Shape, z.core.$loose>
}

/**
 * An object schema whose fields are created on first use. Importing this package names hundreds of schemas, of which a
 * program parses with a few.
 */
export function lazyObject<Shape extends z.core.$ZodLooseShape>(fields: () => Shape): ObjectOf<Shape, z.core.$strip> {
  return new CompiledObject(whenNeeded(fields)) as ObjectOf<Shape, z.core.$strip>
}

/** The same, with other fields let through. */
export function lazyLooseObject<Shape extends z.core.$ZodLooseShape>(
  fields: () => Shape,
): ObjectOf<Shape, z.core.$loose> {
  return new CompiledObject(whenNeeded(fields, z.unknown())) as ObjectOf<Shape, z.core.$loose>
}

/** zod asks a definition for its shape when it needs it, and takes a getter for that. */
function whenNeeded(fields: () => z.core.$ZodLooseShape, catchall?: z.ZodMiniType): z.core.$ZodObjectDef {
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

/** The same schema with what it means in its place. The JSON Schemas and docs/session-format.md say it. */
export function described<Schema extends z.ZodMiniType>(schema: Schema, meaning: string): Schema {
  // A copy, because schemas are shared. A check that describes, as zod/mini has one, would be run at every parse.
  const copy = schema.clone()
  z.globalRegistry.add(copy, { description: meaning })
  return copy
}

export const nonEmpty = /* @__PURE__ */ z.string().check(/* @__PURE__ */ z.minLength(1))

/** A whole number from zero on. */
export const count = /* @__PURE__ */ z.int().check(/* @__PURE__ */ z.gte(0))

/** A whole number from one on. */
export const positive = /* @__PURE__ */ z.int().check(/* @__PURE__ */ z.gte(1))
