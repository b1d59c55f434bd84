import * as z from 'zod/mini'
import type { Immutable } from './immutable.ts'
import { count, described, lazyObject, positive } from './schema.ts'

/** Events that are lost, from one seq to another. */
export const Gap = /* @__PURE__ */ lazyObject(() => ({
  first: positive,
  last: positive,
  bytes: described(z.optional(count), 'damaged bytes that stood there; absent when that is not known'),
}))
export type Gap = Immutable<z.infer<typeof Gap>>
