import type { Decided } from '../words/step.ts'
import { entry, type EntryReason } from './entry.ts'

export interface RepairReason extends EntryReason {
  /** What was repaired: empty_response, raw_text_tool_fallback, … */
  readonly stage: string
  readonly outcome: 'retry' | 'failed'
}

/** The entry for an unusable answer: it is requested again, or given up. */
export function repairEntry({ stage, outcome, code, summary, ...details }: RepairReason): Decided {
  return entry({
    decisionKind: 'forced',
    ...details,
    kind: outcome === 'retry' ? 'repair_retry' : 'repair_fail',
    reasonCode: code,
    summary: `repair: ${summary}`,
    policyStage: stage,
    policyOutcome: outcome,
  })
}
