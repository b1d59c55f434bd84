import { textTokens } from '@loader/compaction'
import type { ModelCapabilities, SessionState } from '@loader/session-core'
import type { KnownTool, PermissionRule, Policy, Tool } from '@loader/session-core/coding'
import { decisions, limitsOf, permissionOf } from '@loader/workflow'
import { describeTools } from './calls/tool-descriptions.ts'
import type { AgentConfig } from './config.ts'
import { digestOf } from './prompt/digest.ts'
import type { Hook } from './stage/hooks.ts'

export interface PolicySources {
  readonly config: AgentConfig
  readonly tools: readonly Tool[]
  readonly hooks: readonly Hook[]
  readonly model: ModelCapabilities
  /** The current rules of files. */
  readonly rules: readonly PermissionRule[]
  readonly walls: Policy['walls']
  /** Whether the run is interactive. */
  readonly audience: Policy['audience']
}

/** Builds the policy from its sources; rules that the user added in the session stay. */
export function policyFor(sources: PolicySources, state: SessionState): Policy {
  const { config, tools, hooks, model, audience, walls } = sources
  const described = JSON.stringify(describeTools(tools))
  return {
    permission: permissionFor(sources, state),
    limits: limitsOf({ limits: config.limits ?? {} }),
    tools: {
      names: tools.map(({ name }) => name),
      digest: digestOf(described),
      tokens: textTokens(described),
      ...knownOf(tools),
    },
    model,
    ...(hooks.length > 0 && { hooks: [...new Set(hooks.map(({ on }) => on))] }),
    ...(config.compaction !== undefined && { compaction: config.compaction }),
    ...(config.completionCheck === false && { completionCheck: false as const }),
    ...(config.checks && { checks: config.checks }),
    ...(config.protect && { protect: config.protect }),
    ...(config.accept && { accept: config.accept }),
    ...(config.slowAfterMs !== undefined && { slowAfterMs: config.slowAfterMs }),
    ...(walls && { walls }),
    decisions,
    audience,
  }
}

/** How tools describe themselves to decisions. */
function knownOf(tools: readonly Tool[]): { readonly known?: readonly KnownTool[] } {
  const known = tools
    .filter(({ title, effect, rule }) => title !== undefined || effect !== undefined || rule !== undefined)
    .map(({ name, title, effect, rule }) => ({
      name,
      ...(title !== undefined && { title }),
      ...(effect && { effect }),
      ...(rule && { rule }),
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
  return permissionOf({ mode: config.permissionMode, rules, rulesSource: config.rulesSource })
}
