import * as z from 'zod/mini'

/** Where a criterion stands. Only `verified` and `waived` count as done. */
export const Verdict = /* @__PURE__ */ z.enum(['verified', 'present', 'failed', 'stale', 'unverified', 'waived'])
export type Verdict = z.infer<typeof Verdict>
