import type { Decided } from '../move.ts'
import { entry, type EntryReason } from './entry.ts'

/** The plan, or the brief, no longer fits what is being done. */
export function planRefreshEntry({ code, summary, ...details }: EntryReason): Decided {
  return entry({
    decisionKind: 'forced',
    ...details,
    kind: 'plan_refresh',
    reasonCode: code,
    summary: `policy: ${summary}`,
  })
}
