import type { EntryKind } from '@loader/session-core/coding'
import type { Decided } from '../words/step.ts'
import { entry, type EntryReason } from './entry.ts'

export interface CompletionReason extends EntryReason {
  /** The stage that judged: text_loop, continuation_check, definition_of_done, … */
  readonly stage: string
  readonly outcome: 'accept' | 'continue' | 'complete' | 'finalize'
}

/** The entry for a judgement on whether the work is done. */
export function completionEntry({ stage, outcome, code, summary, ...details }: CompletionReason): Decided {
  return entry({
    decisionKind: 'forced',
    ...details,
    kind: kindOf(stage, outcome),
    reasonCode: code,
    summary: `completion: ${summary}`,
    policyStage: stage,
    policyOutcome: outcome,
  })
}

function kindOf(stage: string, outcome: CompletionReason['outcome']): EntryKind {
  if (outcome === 'continue') return 'completion_continue'
  if (outcome === 'finalize') return 'completion_finalize'
  return stage === 'continuation_check' ? 'completion_check' : 'completion_complete'
}
