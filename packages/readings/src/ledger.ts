import type { SessionState } from '@loader/session-core'
import { ledgerHighlights } from '@loader/workflow'
import type { LedgerOutput } from './schemas/ledger.ts'
import { sessionNameOf } from './schemas/session.ts'

/** What the task rests on: assumptions, what will be accepted, and what is the user's to decide. */
export function ledgerReading(state: SessionState): LedgerOutput {
  const { ledger } = state
  return { session: sessionNameOf(state), ledger, highlights: ledgerHighlights(ledger) }
}
