import type { Decided } from '../move.ts'
import type { EntryReason } from './entry.ts'
import { routeEntry } from './route-entry.ts'

/** One mode is done and hands on to the next. */
export function handoffEntry(reason: Omit<EntryReason, 'decisionKind'>): Decided {
  return routeEntry({ ...reason, decisionKind: 'handoff' })
}
