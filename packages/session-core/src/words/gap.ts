import * as z from 'zod'
import type { Immutable } from './immutable.ts'
import { lazyObject } from './schema.ts'

/** Events that are lost, from one seq to another. */
export const Gap = /* @__PURE__ */ lazyObject(() => ({
  first: z.int().min(1),
  last: z.int().min(1),
  bytes: z.int().min(0).optional().describe('damaged bytes that stood there; absent when that is not known'),
}))
export type Gap = Immutable<z.infer<typeof Gap>>
