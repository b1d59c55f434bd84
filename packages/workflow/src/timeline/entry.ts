import type { Decision, WorkflowMode } from '@loader/session-core/coding'
import type { Decided } from '../words/move.ts'

/** What any entry can say besides its reason. */
export type EntryDetails = Omit<Decided, 'kind' | 'mode' | 'reasonCode' | 'summary' | 'policyStage' | 'policyOutcome'>

/** What every entry says. */
export interface EntryReason extends EntryDetails {
  /** The mode that the decision leads to. */
  readonly mode: WorkflowMode
  /** Why, for programs. */
  readonly code: string
  /** Why, for people. Its prefix comes with the entry. */
  readonly summary: string
}

/** An entry without what says nothing: an absent list is an empty one. Where nothing else tells its reasons, those that were seen do. */
export function entry(fields: Decided): Decided {
  const evidenceSummary = evidenceSummaryOf(fields)
  const said = Object.entries({ ...fields, evidenceSummary }).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  )
  return Object.fromEntries(said) as unknown as Decided
}

/** The reasons of a decision in words: as given, else what was seen for and against it, else what checks showed. */
export function evidenceSummaryOf(
  decided: Pick<Decision, 'evidenceSummary' | 'evidenceProvenance' | 'verificationObservations'>,
): readonly string[] {
  const { evidenceSummary = [], evidenceProvenance = [], verificationObservations = [] } = decided
  if (evidenceSummary.length > 0) return evidenceSummary
  const seen = evidenceProvenance.length > 0 ? evidenceProvenance : verificationObservations
  return [...new Set(seen.map(({ summary }) => summary))]
}
