import type { EvidenceProvenance, TimelineEntry, VerificationObservation } from '@loader/session-core/coding'
import type { Decided } from '../words/step.ts'

const worstFirst = ['failed', 'stale', 'missing', 'passed'] as const

/** A decision with all evidence for and against it, in one line with parts separated by ` | `. */
export function explainEntry(entry: Decided | TimelineEntry): string {
  const { evidenceProvenance = [], verificationObservations = [], evidenceSummary = [] } = entry
  const [question] = entry.unresolvedQuestions ?? []
  const needs = evidenceProvenance.filter(({ status }) => status === 'missing' || status === 'contradicts')
  const satisfied = evidenceProvenance.filter(({ status }) => status === 'supports')
  return [
    entry.summary,
    `code=${entry.reasonCode}`,
    ...named('stage', entry.clarifyStage),
    ...named('pressure', entry.clarifyPressureKind),
    ...named('policy-stage', entry.policyStage),
    ...named('policy-outcome', entry.policyOutcome),
    ...named('gates', entry.missingReadinessGates?.join(', ')),
    ...(question === undefined ? [] : [question]),
    ...named('needs', needs.map(({ summary }) => summary).join('; ')),
    ...named('satisfied', satisfied.map(({ summary }) => summary).join('; ')),
    ...named('evidence', evidenceSummary.join('; ')),
    ...named('provenance', sourcesOf(evidenceProvenance).join(', ')),
    ...named('observed', observed(verificationObservations)),
    ...(entry.signalSummary ?? []).slice(0, 2),
  ]
    .map((part) => part.replace(/\s+/g, ' ').trim())
    .filter((part) => part !== '')
    .join(' | ')
}

function named(name: string, value: string | undefined): string[] {
  return value ? [`${name}=${value}`] : []
}

function sourcesOf(provenance: readonly EvidenceProvenance[]): string[] {
  return [...new Set(provenance.map(({ category, source }) => `${category} from ${source}`))]
}

/** The worst result of the checks. */
function observed(observations: readonly VerificationObservation[]): string | undefined {
  const worst = worstFirst
    .flatMap((status) => observations.filter((observation) => observation.status === status))
    .at(0)
  const shown = worst ?? observations[0]
  if (shown === undefined) return undefined
  const attempt = attemptLabel(shown)
  return `${shown.status}: ${shown.command ?? shown.summary}${attempt === undefined ? '' : ` (${attempt})`}`
}

/** `attempt 2`, or `attempt 1 -> attempt 2` if it was replaced. */
function attemptLabel({ attemptNumber, supersedesAttemptId }: VerificationObservation): string | undefined {
  if (attemptNumber === undefined) return undefined
  const next = supersedesAttemptId?.match(/\d+$/)?.[0]
  return next === undefined ? `attempt ${attemptNumber}` : `attempt ${attemptNumber} -> attempt ${next}`
}
