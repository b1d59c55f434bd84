import * as z from 'zod/mini'
import { Id } from './ids.ts'
import type { Immutable } from './immutable.ts'
import { Reach } from './policy.ts'
import { described, lazyObject, object, positive } from './schema.ts'

/** A hook that the session does not wait for, as its state knows it. */
export const HookApart = /* @__PURE__ */ lazyObject(() => ({
  id: described(Id, 'of this run of the hook'),
  hook: z.string(),
  reach: described(Reach, 'what it may touch'),
  seq: described(positive, 'the event that told of it'),
  ended: described(z.optional(object({ seq: positive })), 'absent while it may go on'),
  untold: described(z.optional(z.string()), 'what the next turn begins with, since the model does not know it'),
}))
export type HookApart = Immutable<z.infer<typeof HookApart>>
