import type { PermissionMode, PermissionRule, Policy } from '@loader/session-core/coding'
import { decidePermit, type HookPermit, type PermitDecision, withSource } from './decide-permit.ts'
import { inputSummary } from './input-summary.ts'
import { toolsOfPolicy } from './rules/known-tools.ts'
import { factsOf, type PermitCall, type PermitPlace } from './permit-call.ts'
import { requiredMode } from './required-mode.ts'
import { touches } from './rules/match-rule.ts'
import { worst } from './shell/level.ts'
import { type ShellClass, shellClassOf } from './shell-class.ts'

export interface PermitExplanation {
  readonly decision: PermitDecision
  readonly activeMode: PermissionMode
  readonly requiredMode: PermissionMode
  /** Of a call that runs a shell command. */
  readonly shell?: ShellClass
  /** Rules that deny or ask and are about the call, decisive or not. */
  readonly matching: readonly PermissionRule[]
  /** The same in lines of `name=value`, for people. */
  readonly lines: readonly string[]
}

/** Why a call may run, may not, or is asked about, and what would change that. */
export function explainPermit(
  call: PermitCall,
  policy: Policy,
  hooks: readonly HookPermit[] = [],
  place: PermitPlace = {},
): PermitExplanation {
  const decision = decidePermit(call, policy, hooks, place)
  const facts = factsOf(call, place, toolsOfPolicy(policy))
  const required = requiredMode(worst(facts.findings.map(({ level }) => level)))
  const { mode, rules } = policy.permission
  const matching = rules.filter((rule) => rule.permit !== 'allow' && touches(rule, facts) === 'yes')
  const shell = facts.shell && shellClassOf(facts.findings)
  const path = facts.paths[0]?.path ?? facts.hint
  const lines = [
    `decision=${decision.permit}`,
    `by=${decision.by}`,
    `tool=${facts.name}`,
    `active_mode=${mode}`,
    `required_mode=${required}`,
    `input=${inputSummary(facts.name, facts.input)}`,
    ...(path === undefined ? [] : [`path=${path}`]),
    ...(shell === undefined ? [] : [`class=${shell.class}`]),
    ...(shell?.reasons ?? []).filter(({ level }) => level !== 'probe').map(({ part, why }) => `part=${part}: ${why}`),
    ...(decision.rule === undefined ? [] : [`matched_${decision.rule.permit}_rule=${withSource(decision.rule)}`]),
    `reason=${decision.reason}`,
    ...decision.wouldChange.map((change) => `would_change=${change}`),
  ]
  return { decision, activeMode: mode, requiredMode: required, matching, lines, ...(shell && { shell }) }
}
