/** The published reason codes of routing, clarification, recovery and freshness. */
const routing = [
  'explicit_request',
  'stale_plan_artifacts',
  'existing_plan_artifacts',
  'task_is_ambiguous',
  'task_is_complex',
  'verification_pressure_requires_plan',
  'task_is_concrete',
] as const

/** Routes that can be chosen again, once clarification is over. */
const again = routing.filter((code) => code !== 'task_is_ambiguous')

const others = `
  plan_artifacts_created
  clarify_follow_up_needed clarify_pressure_pass_required clarify_complete
  clarify_budget_exhausted clarify_budget_exhausted_without_pressure_pass
  plan_refresh_completed clarify_reentry_required clarify_reentry_plan_created
  full_replan_requires_clarify full_replan_required full_replan_completed
  touched_files_outside_plan acceptance_criteria_outside_plan
  brief_missing_acceptance_scope touchpoints_outside_brief task_drifted_beyond_brief
`

export const publishedCodes: readonly string[] = [
  ...routing,
  ...again.map((code) => `post_clarify_${code}`),
  ...again.map((code) => `post_drift_${code}`),
  ...others.trim().split(/\s+/),
]
