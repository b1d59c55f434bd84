import type { SessionState } from '@loader/session-core'
import type { CompletionTraceEntry, TimelineEntry } from '@loader/session-core/coding'
import { isCompletion } from './accountability.ts'
import { evidenceSummaryOf } from './entry.ts'

const longestTrace = 8

/**
 * The latest judgements of completion, read off the timeline: those up to the latest entry with that code, back to the
 * first entry of another kind. Entries of skipped verification in between are passed over. If the timeline lacks the
 * code, the fallback is returned.
 */
export function completionTrace(
  timeline: Iterable<TimelineEntry>,
  lastDecisionCode: string | null | undefined,
  fallback: readonly CompletionTraceEntry[] = [],
  max: number = longestTrace,
): CompletionTraceEntry[] {
  if (!lastDecisionCode) return [...fallback]
  const entries = [...timeline]
  const last = entries.findLastIndex((entry) => isCompletion(entry.kind) && entry.reasonCode === lastDecisionCode)
  if (last < 0) return [...fallback]
  const before = entries.slice(0, last).findLastIndex(({ kind }) => !isCompletion(kind) && kind !== 'verify_skip')
  const judgements = entries.slice(before + 1, last + 1).filter(({ kind }) => isCompletion(kind))
  return judgements.slice(Math.max(0, judgements.length - max)).map(traced)
}

/**
 * The completion trace of a session. A turn begins with an empty trace; a trace stored by an older system is used only
 * if the timeline has no judgement.
 */
export function completionTraceOf({ timeline, completion, turn, legacyTrace }: SessionState): CompletionTraceEntry[] {
  if (turn !== null && (completion?.seq ?? 0) < turn.startedSeq) return []
  return completionTrace(timeline, completion?.reasonCode, legacyTrace)
}

function traced(entry: TimelineEntry): CompletionTraceEntry {
  const { policyStage, reasonCode, summary, evidenceProvenance = [], verificationObservations = [] } = entry
  return {
    stage: policyStage || 'unknown',
    outcome: outcomeOf(entry),
    decisionCode: reasonCode,
    decisionSummary: summary.replace(/^completion:/, '').trim(),
    evidenceSummary: evidenceSummaryOf(entry),
    evidenceProvenance,
    verificationObservations,
  }
}

function outcomeOf({ policyOutcome, kind }: TimelineEntry): string {
  if (policyOutcome) return policyOutcome
  if (kind === 'completion_continue') return 'continue'
  if (kind === 'completion_finalize') return 'finalize'
  return kind === 'completion_check' ? 'accept' : 'complete'
}
