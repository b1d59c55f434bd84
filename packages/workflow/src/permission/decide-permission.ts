import type { PermissionRule, Permission, Policy, Reach } from '@loader/session-core/coding'
import { whyForbidden } from './guards.ts'
import { looksAlone } from './looks.ts'
import { asIfIn } from './as-if-in.ts'
import { type CallFacts, callFacts, type PermissionCall, type PermissionPlace, type ShellFacts } from './permit-call.ts'
import { permissionOfMode, reachesAsFar, requiredMode, wallsState } from './reach.ts'
import { toolsOfPolicy } from './rules/known-tools.ts'
import { ruleFor } from './rule-for.ts'
import { ruleCovers, coversCommand, coversLine, isOutdated, type RuleMatch, touches } from './match-rule.ts'
import { ruleText } from './rules/rule-text.ts'

/** What a hook said about a call, as far as it overrides the policy. */
export interface HookPermission {
  readonly hook: string
  readonly permit?: Permission | undefined
  readonly message?: string | undefined
  /** The answer to the question that a mode asks. It changes nothing where a rule decides, or a mode denies. */
  readonly answers?: 'allow' | undefined
}

/** The permission of a call, with the rule or mode that decided. */
export interface PermissionDecision {
  readonly permit: Permission
  readonly by: 'rule' | 'mode' | 'hook' | 'guard'
  /** The rule that decided, if one did. */
  readonly rule?: PermissionRule
  readonly reason: string
  /** What the user could change to get another decision. */
  readonly wouldChange: readonly string[]
}

/**
 * Whether a call may run. The first of these decides: a guard, the reach that an agent was given, a rule that denies, a hook
 * that denies, a hook that asks, a rule that asks, a hook that allows, a rule that allows, and at last the mode, by what the call
 * reaches. Where the mode asks, a hook may answer. In a non-interactive run, `ask` becomes `deny`.
 */
export function decidePermission(
  call: PermissionCall,
  policy: Policy,
  hooks: readonly HookPermission[] = [],
  place: PermissionPlace = {},
): PermissionDecision {
  const facts = callFacts(call, place, toolsOfPolicy(policy))
  const decision = decide(facts, policy, hooks, call)
  if (decision.permit !== 'ask' || policy.audience !== 'nobody') return decision
  return {
    ...decision,
    permit: 'deny',
    reason: `${decision.reason}, and this run is non-interactive`,
    wouldChange: [...decision.wouldChange, 'an interactive run'],
  }
}

function decide(
  facts: CallFacts,
  policy: Policy,
  hooks: readonly HookPermission[],
  call: PermissionCall,
): PermissionDecision {
  const { rules } = policy.permission
  const guard = whyForbidden(facts)
  if (guard !== undefined) {
    return { permit: 'deny', by: 'guard', reason: guard, wouldChange: ['nothing: this holds in every mode'] }
  }
  const { within } = policy.permission
  if (within !== undefined && !reachesAsFar(within, facts.reach)) return beyond(within, facts)
  const places = [facts, ...(policy.permission.copyOf ?? []).map((origin) => asIfIn(origin, facts))]
  const denying = strongest(rules, 'deny', places)
  if (denying?.match === 'yes') return byRule('deny', denying.rule)
  const hook = (permit: Permission): HookPermission | undefined => hooks.find((one) => one.permit === permit)
  const forbids = hook('deny')
  if (forbids !== undefined) return byHook('deny', forbids)
  const wants = hook('ask')
  if (wants !== undefined) return byHook('ask', wants)
  const asking = strongest(rules, 'ask', places)
  if (asking?.match === 'yes') return byRule('ask', asking.rule)
  const unsure = denying ?? asking
  if (unsure !== undefined) return byDoubt(unsure.rule)
  const allows = hook('allow')
  if (allows !== undefined) return byHook('allow', allows)
  const rule = allowing(rules, facts, policy)
  if (rule !== undefined) return byRule('allow', rule)
  const ofMode = byMode(facts, policy, call)
  const answering = hooks.find(({ answers }) => answers === 'allow')
  return ofMode.permit === 'ask' && answering !== undefined ? byHook('allow', answering) : ofMode
}

/** No rule, hook or answer lifts it: it is what the session was given by the one that began it. */
function beyond(within: Reach, facts: CallFacts): PermissionDecision {
  return {
    permit: 'deny',
    by: 'guard',
    reason: `this agent may reach ${within} at most, and ${reasonOf(facts)}`,
    wouldChange: ['the reach of the kind of agent'],
  }
}

interface Found {
  readonly rule: PermissionRule
  readonly match: RuleMatch
}

/**
 * The strongest rule that matches for certain, or else one that may match. In a copy of a workspace, a call is also looked
 * at as if it were made there.
 */
function strongest(
  rules: readonly PermissionRule[],
  permit: Permission,
  places: readonly CallFacts[],
): Found | undefined {
  let unsure: Found | undefined
  for (const rule of rules) {
    if (rule.permit !== permit) continue
    const matches = places.map((facts) => touches(rule, facts))
    if (matches.includes('yes')) return { rule, match: 'yes' }
    if (matches.includes('unsure')) unsure ??= { rule, match: 'unsure' }
  }
  return unsure
}

/**
 * The rule that allows a call. A command line is allowed if each of its commands is, by a rule or because it is
 * read-only. Only a rule for the exact line or for the whole tool covers what cannot be parsed, arithmetic with
 * variables, variables that influence programs, and writes beyond the walls.
 */
function allowing(
  all: readonly PermissionRule[],
  facts: CallFacts,
  { permission }: Policy,
): PermissionRule | undefined {
  const rules = all.filter(({ permit }) => permit === 'allow')
  if (facts.shell === undefined) return rules.find((rule) => ruleCovers(rule, facts))
  const whole = rules.find((rule) => coversLine(rule, facts))
  if (whole !== undefined || !canBeCovered(facts.shell, facts)) return whole
  let used: PermissionRule | undefined
  for (const command of facts.shell.reading.commands) {
    if (command.isCandidate === true) continue
    const rule = rules.find((one) => coversCommand(one, command, facts))
    used ??= rule
    if (rule === undefined && !(looksAlone(command) && permissionOfMode(permission.mode, 'look') === 'allow')) {
      return undefined
    }
  }
  return used
}

function canBeCovered({ reading: { hides, computes, sets, writes } }: ShellFacts, { reach }: CallFacts): boolean {
  if (hides !== undefined || computes || !sets.every((name) => harmless.test(name))) return false
  return writes.length === 0 || reachesAsFar('network', reach)
}

/** Lower-case variables of scripts, and variables that only change how output looks. */
const harmless = /^(?:[a-z_][a-z0-9_]*|LANG|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|COLUMNS|CI|NODE_ENV|DEBUG)$/

function byRule(permit: Permission, rule: PermissionRule): PermissionDecision {
  const words = { allow: 'allowed', deny: 'denied', ask: 'to be asked' }[permit]
  const change = permit === 'allow' ? 'a rule that denies or asks' : `taking the rule ${withSource(rule)} away`
  return { permit, by: 'rule', rule, reason: `${words} by the rule ${withSource(rule)}`, wouldChange: [change] }
}

/** The call hides something that a rule may match, so that rule decides. */
function byDoubt(rule: PermissionRule): PermissionDecision {
  return {
    permit: 'ask',
    by: 'rule',
    rule,
    reason: `part of the command cannot be read, so it may be what the rule ${withSource(rule)} is about`,
    wouldChange: ['a command that says in plain words what it runs', `taking the rule ${withSource(rule)} away`],
  }
}

function byHook(permit: Permission, { hook, message }: HookPermission): PermissionDecision {
  const words = { allow: 'allowed', deny: 'denied', ask: 'to be asked' }[permit]
  const reason = `${words} by the hook ${hook}${message === undefined ? '' : `: ${message}`}`
  return { permit, by: 'hook', reason, wouldChange: [`another answer of the hook ${hook}`] }
}

function byMode(facts: CallFacts, policy: Policy, call: PermissionCall): PermissionDecision {
  const { mode } = policy.permission
  const { reach, shell } = facts
  const permit = permissionOfMode(mode, reach)
  const wantsWalls = mode !== 'danger-full-access' && mode !== 'allow'
  if (shell !== undefined && wantsWalls && wallsState(policy.walls) === 'missing') {
    return byMissingWalls(policy)
  }
  const said = {
    allow: `the mode ${mode} allows it`,
    ask: `the mode ${mode} asks`,
    deny: `the mode ${mode} does not allow it`,
  }[permit]
  if (permit === 'allow') return { permit, by: 'mode', reason: said, wouldChange: ['a rule that denies or asks'] }
  const changes = [`a rule that allows it, such as ${ruleText(ruleFor(call, 'allow', facts.tools))}`]
  const outdated = policy.permission.rules.find((rule) => isOutdated(rule, facts))
  const since = outdated === undefined ? '' : `; ${facts.name} has changed since ${ruleText(outdated)} allowed it`
  return {
    permit,
    by: 'mode',
    reason: `${said}: ${reasonOf(facts)}${since}`,
    wouldChange: mode === 'prompt' ? changes : [...changes, `the mode ${requiredMode(reach)}`],
  }
}

/** Describes how far a call reaches. */
function reasonOf({ reach, shell, effect, paths, hosts, name }: CallFacts): string {
  switch (reach) {
    case 'look':
      return `${name} looks`
    case 'work':
      return shell === undefined ? 'it changes files in the workspace' : 'the command can change the workspace'
    case 'network':
      return shell === undefined
        ? `it reaches the network: ${hosts.join(', ') || 'any host'}`
        : 'the command reaches the network, with what listens on this machine'
    case 'open': {
      if (shell !== undefined) return 'the command reaches the whole machine, without walls'
      const away = paths.find(({ inside, access }) => !inside || access !== undefined)
      if (away === undefined) return `what ${name} does is not known`
      if (effect === 'probe') return `${away.path} is hidden from commands and tools`
      return away.inside
        ? `${away.path} is guarded: other programs run what is in it`
        : `${away.path} is outside the workspace`
    }
    default:
      return reach satisfies never
  }
}

/**
 * Without walls there is no limit to what a command can do, so no reading of its text may allow it. A refusal says why
 * there are no walls. An interactive user was told at the start of the session, so questions do not repeat it.
 */
function byMissingWalls({ permission, walls, audience }: Policy): PermissionDecision {
  const permit = permission.mode === 'read-only' ? 'deny' : 'ask'
  const isQuestion = permit === 'ask' && audience !== 'nobody'
  const why = isQuestion || walls?.why === undefined ? '' : ` (${walls.why})`
  return {
    permit,
    by: 'mode',
    reason: `commands run without walls here${why}`,
    wouldChange: [
      'walls: loader doctor says what is missing',
      '--walls off, where the machine is a wall itself (a container, CI)',
      'a rule that allows it',
    ],
  }
}

export function withSource(rule: PermissionRule): string {
  return rule.source === undefined ? ruleText(rule) : `${ruleText(rule)} (${rule.source})`
}
