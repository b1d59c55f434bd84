import * as z from 'zod'
import type { Immutable } from './immutable.ts'
import { lazyObject } from './schema.ts'

function item<Status extends string>(...statuses: [Status, ...Status[]]) {
  return z.object({
    text: z.string().min(1),
    status: z.enum(statuses),
    introducedPhase: z.string().describe('clarify, plan, recovery, …'),
    updatedPhase: z.string().optional(),
    evidence: z.array(z.string()).optional().describe('what led to the status'),
  })
}

/** What a task rests on: what is assumed, what will be accepted, and where a decision is the user's. */
export const Ledger = /* @__PURE__ */ lazyObject(() => ({
  assumptions: z.array(item('open', 'contradicted')),
  acceptanceAnchors: z.array(item('active', 'changed')),
  decisionBoundaries: z.array(item('tracked', 'reopened')),
}))
export type Ledger = Immutable<z.infer<typeof Ledger>>

export const emptyLedger: Ledger = { assumptions: [], acceptanceAnchors: [], decisionBoundaries: [] }
