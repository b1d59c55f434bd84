import type { Decision, WorkflowMode } from '@loader/session-core/coding'
import type { Decided } from '../words/step.ts'

/** The optional fields that every kind of entry can have. */
export type EntryDetails = Omit<Decided, 'kind' | 'mode' | 'reasonCode' | 'summary' | 'policyStage' | 'policyOutcome'>

/** The fields that every entry has. */
export interface EntryReason extends EntryDetails {
  /** The mode that the decision leads to. */
  readonly mode: WorkflowMode
  /** Why, as a code for programs. */
  readonly code: string
  /** Why, as text for people, without the prefix of the entry. */
  readonly summary: string
}

/** Removes empty lists from an entry. If no other field gives its reasons, the observed evidence does. */
export function entry(fields: Decided): Decided {
  const evidenceSummary = evidenceSummaryOf(fields)
  const said = Object.entries({ ...fields, evidenceSummary }).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  )
  return Object.fromEntries(said) as unknown as Decided
}

/** The reasons of a decision as text: as given, else the evidence for and against it, else the results of checks. */
export function evidenceSummaryOf(
  decided: Pick<Decision, 'evidenceSummary' | 'evidenceProvenance' | 'verificationObservations'>,
): readonly string[] {
  const { evidenceSummary = [], evidenceProvenance = [], verificationObservations = [] } = decided
  if (evidenceSummary.length > 0) return evidenceSummary
  const seen = evidenceProvenance.length > 0 ? evidenceProvenance : verificationObservations
  return [...new Set(seen.map(({ summary }) => summary))]
}
