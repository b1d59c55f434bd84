import * as z from 'zod/mini'
import type { Immutable } from './immutable.ts'
import { described, lazyObject, nonEmpty, object } from './schema.ts'

function item<Status extends string>(...statuses: [Status, ...Status[]]) {
  return object({
    text: nonEmpty,
    status: z.enum(statuses),
    introducedPhase: described(z.string(), 'clarify, plan, recovery, …'),
    updatedPhase: z.optional(z.string()),
    evidence: described(z.optional(z.array(z.string())), 'what led to the status'),
  })
}

/** The assumptions of a task, its acceptance criteria, and the decisions that are left to the user. */
export const Ledger = /* @__PURE__ */ lazyObject(() => ({
  assumptions: z.array(item('open', 'contradicted')),
  acceptanceAnchors: z.array(item('active', 'changed')),
  decisionBoundaries: z.array(item('tracked', 'reopened')),
}))
export type Ledger = Immutable<z.infer<typeof Ledger>>

/** The ledger of a session in which no task has begun. */
export const emptyLedger: Ledger = { assumptions: [], acceptanceAnchors: [], decisionBoundaries: [] }
