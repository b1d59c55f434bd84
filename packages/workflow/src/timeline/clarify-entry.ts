import type { Decided } from '../move.ts'
import { entry, type EntryReason } from './entry.ts'

export interface ClarifyReason extends Omit<EntryReason, 'mode'> {
  /** Whether another question follows. */
  readonly next: 'ask_again' | 'leave'
}

/** A round of clarification was reviewed. */
export function clarifyEntry({ next, code, summary, ...details }: ClarifyReason): Decided {
  return entry({
    ...details,
    kind: next === 'ask_again' ? 'clarify_continue' : 'clarify_exit',
    mode: 'clarify',
    reasonCode: code,
    summary: `clarify: ${summary}`,
    ...(next === 'leave' && { scheduledNextMode: details.scheduledNextMode ?? 'execute' }),
  })
}
