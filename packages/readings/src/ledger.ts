import type { SessionState } from '@loader/session-core'
import { ledgerHighlights } from '@loader/workflow'
import type { LedgerOutput } from './schemas/ledger.ts'
import { sessionNameOf } from './words/session-name.ts'

/** Assumptions, acceptance anchors and decision boundaries of the task. */
export function ledgerReading(state: SessionState): LedgerOutput {
  const { ledger } = state
  return { session: sessionNameOf(state), ledger, highlights: ledgerHighlights(ledger) }
}
