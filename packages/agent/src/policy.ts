import { textTokens } from '@loader/compaction'
import type { ModelCapabilities, SessionState } from '@loader/session-core'
import type { KnownTool, PermissionRule, Policy, Tool, ToolServer } from '@loader/session-core/coding'
import { decisions, limitsOf, permissionOf } from '@loader/workflow'
import { describeTools } from './calls/tool-descriptions.ts'
import type { AgentConfig } from './config.ts'
import { digestOf } from './prompt/digest.ts'
import type { Hook } from './stage/hooks.ts'

export interface PolicySources {
  readonly config: AgentConfig
  readonly tools: readonly Tool[]
  /** Who provides those of the tools that are not of the program. */
  readonly servers: readonly ToolServer[]
  readonly hooks: readonly Hook[]
  readonly model: ModelCapabilities
  /** The current rules of files. */
  readonly rules: readonly PermissionRule[]
  readonly walls: Policy['walls']
  /** Whether the run is interactive. */
  readonly audience: Policy['audience']
  readonly budget: Policy['budget']
  readonly fallback: Policy['fallback']
  readonly saves: Policy['saves']
}

/** Builds the policy from its sources; rules that the user added in the session stay. */
export function policyFor(sources: PolicySources, state: SessionState): Policy {
  const { config, tools, servers, hooks, model, audience, walls, budget, fallback, saves } = sources
  const described = JSON.stringify(describeTools(tools))
  const offered = tools.some(({ onlyFound }) => onlyFound)
    ? JSON.stringify(describeTools(tools.filter(({ onlyFound }) => !onlyFound)))
    : described
  return {
    permission: permissionFor(sources, state),
    limits: limitsOf({ limits: config.limits ?? {} }),
    tools: {
      names: tools.map(({ name }) => name),
      digest: digestOf(described),
      tokens: textTokens(offered),
      ...knownOf(tools),
      ...(servers.length > 0 && { servers: [...servers] }),
    },
    model,
    ...(hooks.length > 0 && { hooks: [...new Set(hooks.flatMap((hook) => momentsOf(hook, tools)))] }),
    ...(config.thinking !== undefined && { thinking: config.thinking }),
    ...(config.compaction !== undefined && { compaction: config.compaction }),
    ...(config.completionCheck === false && { completionCheck: false as const }),
    ...(config.checks && { checks: config.checks }),
    ...(config.protect && { protect: config.protect }),
    ...(config.accept && { accept: config.accept }),
    ...(config.slowAfterMs !== undefined && { slowAfterMs: config.slowAfterMs }),
    ...(budget && { budget }),
    ...(fallback && { fallback }),
    ...(walls && { walls }),
    ...(saves && { saves }),
    decisions,
    audience,
  }
}

/** Decisions know for which tools there is a hook, so that all other calls cost nothing. */
function momentsOf({ on, tools: isFor }: Hook, tools: readonly Tool[]): readonly string[] {
  return isFor === undefined ? [on] : tools.flatMap(({ name }) => (isFor(name) ? [`${on}:${name}`] : []))
}

/** How tools describe themselves to decisions. */
function knownOf(tools: readonly Tool[]): { readonly known?: readonly KnownTool[] } {
  const known = tools
    .filter(({ title, effect, rule }) => title !== undefined || effect !== undefined || rule !== undefined)
    .map(({ name, title, effect, rule, definition }) => ({
      name,
      ...(title !== undefined && { title }),
      ...(effect && { effect }),
      ...(rule && { rule }),
      ...(definition !== undefined && { definition }),
    }))
  return known.length === 0 ? {} : { known }
}

/** Mode and rules; rules that the user added in the session stay. */
export function permissionFor(
  { config, rules: ofFiles }: Pick<PolicySources, 'config' | 'rules'>,
  { policy }: SessionState,
): Policy['permission'] {
  const added = policy?.permission.rules.filter(({ source }) => source === 'session' || source === 'always') ?? []
  const rules = [...(config.rules ?? []), ...ofFiles, ...added]
  const { permissionMode: mode, rulesSource, within, copyOf } = config
  return permissionOf({ mode, rules, rulesSource, within, copyOf })
}
