import * as z from 'zod/mini'
import { described, lazyObject, positive } from '../words/schema.ts'
import { Timestamp } from '../words/time.ts'

const types = new WeakMap<z.ZodMiniType, string>()

const seq = /* @__PURE__ */ described(positive, 'place in the session, counted from 1 without gaps')
const at = /* @__PURE__ */ described(Timestamp, 'when it happened, by the clock of the writer')

/** The schema of one kind of event. Fields it does not name survive reading and writing unchanged. */
export function defineEvent<const Type extends string, Shape extends z.core.$ZodLooseShape>(
  type: Type,
  meaning: string,
  fields: () => Shape,
) {
  const schema = lazyObject(() => ({ type: z.literal(type), seq, at, ...fields() }))
  z.globalRegistry.add(schema, { description: meaning })
  types.set(schema, type)
  return schema
}

/** The event type of a schema, read without creating its fields. */
export function typeOf<Type extends string>(schema: z.ZodMiniObject<{ type: z.ZodMiniLiteral<Type> }>): Type {
  return types.get(schema) as Type
}
