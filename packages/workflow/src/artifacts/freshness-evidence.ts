/** What was seen that an artifact does not fit. */
export type FreshnessEvidenceKind =
  | 'confirmed_touchpoint'
  | 'inferred_touchpoint'
  | 'acceptance_anchor'
  | 'contradicted_assumption'
  | 'verification_contradiction'
  | 'task_boundary_change'

export interface FreshnessEvidence {
  readonly kind: FreshnessEvidenceKind
  readonly summary: string
}

export type FreshnessCode =
  | 'touched_files_outside_plan'
  | 'acceptance_criteria_outside_plan'
  | 'brief_missing_acceptance_scope'
  | 'touchpoints_outside_brief'
  | 'task_drifted_beyond_brief'

/** How work gets back to artifacts that fit. */
export type RecoveryStrategy = 'none' | 'clarify_reentry' | 'plan_refresh' | 'full_replan'

/** A piece of evidence in words. */
export function evidenceLine({ kind, summary }: FreshnessEvidence): string {
  return `${kind.replaceAll('_', ' ')}: ${summary}`
}
