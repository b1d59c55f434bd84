/** An observation that the brief or the plan does not fit. */
export interface FreshnessEvidence {
  readonly kind:
    | 'confirmed_touchpoint'
    | 'inferred_touchpoint'
    | 'acceptance_anchor'
    | 'contradicted_assumption'
    | 'verification_contradiction'
    | 'task_boundary_change'
  readonly summary: string
}
