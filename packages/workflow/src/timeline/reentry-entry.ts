import type { Decided } from '../move.ts'
import type { EntryReason } from './entry.ts'
import { routeEntry } from './route-entry.ts'

/** The work goes back to a mode that it had left. */
export function reentryEntry(reason: Omit<EntryReason, 'decisionKind'>): Decided {
  return routeEntry({ ...reason, decisionKind: 'reentry' })
}
