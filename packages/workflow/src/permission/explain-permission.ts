import type { PermissionMode, PermissionRule, Policy, Reach } from '@loader/session-core/coding'
import { decidePermission, type HookPermission, type PermissionDecision, withSource } from './decide-permission.ts'
import { inputSummary } from './input-summary.ts'
import { toolsOfPolicy } from './rules/known-tools.ts'
import { callFacts, type PermissionCall, type PermissionPlace } from './permit-call.ts'
import { requiredMode } from './reach.ts'
import { touches } from './match-rule.ts'

/** The permission of a call and the reasons, as `loader permissions explain` shows it. */
export interface PermissionExplanation {
  readonly decision: PermissionDecision
  readonly activeMode: PermissionMode
  readonly requiredMode: PermissionMode
  /** How far the call reaches. */
  readonly reach: Reach
  /** Every rule that denies or asks and matches the call, whether or not it decided. */
  readonly matching: readonly PermissionRule[]
  /** The same as lines of `name=value`, for people. */
  readonly lines: readonly string[]
}

/** Explains why a call is allowed, denied or asked about, and what would change that. */
export function explainPermission(
  call: PermissionCall,
  policy: Policy,
  hooks: readonly HookPermission[] = [],
  place: PermissionPlace = {},
): PermissionExplanation {
  const decision = decidePermission(call, policy, hooks, place)
  const facts = callFacts(call, place, toolsOfPolicy(policy))
  const required = requiredMode(facts.reach)
  const { mode, rules } = policy.permission
  const matching = rules.filter((rule) => rule.permit !== 'allow' && touches(rule, facts) === 'yes')
  const path = facts.paths[0]?.path ?? facts.hint
  const lines = [
    `decision=${decision.permit}`,
    `by=${decision.by}`,
    `tool=${facts.name}`,
    `active_mode=${mode}`,
    `required_mode=${required}`,
    `input=${inputSummary(facts.name, facts.input)}`,
    ...(path === undefined ? [] : [`path=${path}`]),
    `reach=${facts.reach}`,
    ...(decision.rule === undefined ? [] : [`matched_${decision.rule.permit}_rule=${withSource(decision.rule)}`]),
    `reason=${decision.reason}`,
    ...decision.wouldChange.map((change) => `would_change=${change}`),
  ]
  return { decision, activeMode: mode, requiredMode: required, reach: facts.reach, matching, lines }
}
