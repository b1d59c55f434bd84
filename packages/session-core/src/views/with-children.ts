import type { SessionState } from '../state/state.ts'
import { addTotals, noTotals, type Totals } from '../words/usage.ts'

/** Whether another session has begun it. A copy of a child is not a child: no session waits for its answer. */
export function isChild({ parent, forkedFrom }: Pick<SessionState, 'parent' | 'forkedFrom'>): boolean {
  return parent !== undefined && forkedFrom === null
}

/**
 * What a session has used together with its child sessions that finished. Each log tells what its own requests used, and
 * of each child the sum at its end, so nothing is counted twice. To add up several sessions, add `usage` of each.
 */
export function usageWithChildren({ usage, childUsage }: Pick<SessionState, 'usage' | 'childUsage'>): Totals {
  return childUsage === undefined ? usage : addTotals(usage, childUsage ?? noTotals)
}
