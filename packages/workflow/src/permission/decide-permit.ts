import type { PermissionRule, Permit, Policy } from '@loader/session-core/coding'
import { guardOf } from './guards.ts'
import { type CallFacts, factsOf, ownCommands, type PermitCall, type PermitPlace } from './permit-call.ts'
import { permitOfMode, requiredMode } from './required-mode.ts'
import { toolsOfPolicy } from './rules/known-tools.ts'
import { ruleFor } from './rule-for.ts'
import { covers, coversCommand, coversLine, type Match, touches } from './rules/match-rule.ts'
import { ruleText } from './rules/rule-text.ts'
import { worst, worstFirst } from './shell/level.ts'

/** What a hook said about a call, as far as it overrides the policy. */
export interface HookPermit {
  readonly hook: string
  readonly permit?: Permit | undefined
  readonly message?: string | undefined
}

export interface PermitDecision {
  readonly permit: Permit
  readonly by: 'rule' | 'mode' | 'hook' | 'guard'
  /** The rule that decided, if one did. */
  readonly rule?: PermissionRule
  readonly reason: string
  /** What would lead to another decision. */
  readonly wouldChange: readonly string[]
}

/**
 * Whether a call may run. Whatever speaks first decides: a guard that denies, a rule that denies, a hook that denies, a
 * hook that asks, a rule that asks, a guard that asks, a hook that allows, a rule that allows, and at last the mode.
 * Where nobody is there to be asked, the answer is no.
 */
export function decidePermit(
  call: PermitCall,
  policy: Policy,
  hooks: readonly HookPermit[] = [],
  place: PermitPlace = {},
): PermitDecision {
  const facts = factsOf(call, place, toolsOfPolicy(policy))
  const decision = decide(facts, policy, hooks, call)
  if (decision.permit !== 'ask' || policy.audience !== 'nobody') return decision
  return {
    ...decision,
    permit: 'deny',
    reason: `${decision.reason}, and nobody is there to ask`,
    wouldChange: [...decision.wouldChange, 'somebody who is there to ask'],
  }
}

function decide(facts: CallFacts, policy: Policy, hooks: readonly HookPermit[], call: PermitCall): PermitDecision {
  const { rules } = policy.permission
  const guard = guardOf(facts)
  if (guard?.permit === 'deny') {
    return { permit: 'deny', by: 'guard', reason: guard.reason, wouldChange: ['nothing: this holds in every mode'] }
  }
  const denying = strongest(rules, 'deny', facts)
  if (denying?.match === 'yes') return byRule('deny', denying.rule)
  const hook = (permit: Permit): HookPermit | undefined => hooks.find((one) => one.permit === permit)
  const forbids = hook('deny')
  if (forbids !== undefined) return byHook('deny', forbids)
  const wants = hook('ask')
  if (wants !== undefined) return byHook('ask', wants)
  const asking = strongest(rules, 'ask', facts)
  if (asking?.match === 'yes') return byRule('ask', asking.rule)
  const unsure = denying ?? asking
  if (unsure !== undefined) return byDoubt(unsure.rule)
  if (guard !== undefined) {
    return { permit: 'ask', by: 'guard', reason: guard.reason, wouldChange: ['nothing: this is asked in every mode'] }
  }
  const allows = hook('allow')
  if (allows !== undefined) return byHook('allow', allows)
  const rule = allowing(rules, facts, policy)
  return rule === undefined ? byMode(facts, policy, call) : byRule('allow', rule)
}

interface Found {
  readonly rule: PermissionRule
  readonly match: Match
}

/** A rule that is about the call for certain, or else one that may be. */
function strongest(rules: readonly PermissionRule[], permit: Permit, facts: CallFacts): Found | undefined {
  let unsure: Found | undefined
  for (const rule of rules) {
    if (rule.permit !== permit) continue
    const match = touches(rule, facts)
    if (match === 'yes') return { rule, match }
    if (match === 'unsure') unsure ??= { rule, match }
  }
  return unsure
}

/**
 * The rule that allows a call. A command line is allowed if every part of it is: each command by some rule or by the
 * mode, and whatever is not a command, such as a redirection, by the mode. Only a rule for the line as it stands, or for
 * the whole tool, covers both.
 */
function allowing(
  all: readonly PermissionRule[],
  facts: CallFacts,
  { permission }: Policy,
): PermissionRule | undefined {
  const rules = all.filter(({ permit }) => permit === 'allow')
  if (facts.shell === undefined) return rules.find((rule) => covers(rule, facts))
  const whole = rules.find((rule) => coversLine(rule, facts))
  if (whole !== undefined) return whole
  const own = new Set(ownCommands(facts.shell.reading))
  let used: PermissionRule | undefined
  for (const { level, command } of facts.findings) {
    if (command !== undefined && !own.has(command)) continue
    const rule = command && rules.find((one) => coversCommand(one, command, facts))
    used ??= rule
    if (rule === undefined && permitOfMode(permission.mode, level) !== 'allow') return undefined
  }
  return used
}

function byRule(permit: Permit, rule: PermissionRule): PermitDecision {
  const words = { allow: 'allowed', deny: 'denied', ask: 'to be asked' }[permit]
  const change = permit === 'allow' ? 'a rule that denies or asks' : `taking the rule ${withSource(rule)} away`
  return { permit, by: 'rule', rule, reason: `${words} by the rule ${withSource(rule)}`, wouldChange: [change] }
}

/** A rule that cannot be held against what is hidden. */
function byDoubt(rule: PermissionRule): PermitDecision {
  return {
    permit: 'ask',
    by: 'rule',
    rule,
    reason: `part of the command cannot be read, so it may be what the rule ${withSource(rule)} is about`,
    wouldChange: ['a command that says in plain words what it runs', `taking the rule ${withSource(rule)} away`],
  }
}

function byHook(permit: Permit, { hook, message }: HookPermit): PermitDecision {
  const words = { allow: 'allowed', deny: 'denied', ask: 'to be asked' }[permit]
  const reason = `${words} by the hook ${hook}${message === undefined ? '' : `: ${message}`}`
  return { permit, by: 'hook', reason, wouldChange: [`another answer of the hook ${hook}`] }
}

function byMode(facts: CallFacts, { permission }: Policy, call: PermitCall): PermitDecision {
  const { mode } = permission
  const level = worst(facts.findings.map((finding) => finding.level))
  const permit = permitOfMode(mode, level)
  const [cause] = worstFirst(facts.findings)
  const why = cause === undefined || level === 'probe' ? '' : `: ${cause.part}: ${cause.why}`
  const said = {
    allow: `the mode ${mode} allows it`,
    ask: `the mode ${mode} asks`,
    deny: `the mode ${mode} does not allow it`,
  }[permit]
  if (permit === 'allow') return { permit, by: 'mode', reason: said, wouldChange: ['a rule that denies or asks'] }
  const suggested = ruleText(ruleFor(call, 'allow', facts.tools))
  const changes = [`a rule that allows it, such as ${suggested}`]
  return {
    permit,
    by: 'mode',
    reason: said + why,
    wouldChange: mode === 'prompt' ? changes : [...changes, `the mode ${requiredMode(level)}`],
  }
}

export function withSource(rule: PermissionRule): string {
  return rule.source === undefined ? ruleText(rule) : `${ruleText(rule)} (${rule.source})`
}
