import { textTokens } from '@loader/compaction'
import type { ModelCapabilities, SessionState } from '@loader/session-core'
import type { KnownTool, Policy, Tool } from '@loader/session-core/coding'
import { limitsOf } from '@loader/workflow'
import { describeTools } from './calls/tool-descriptions.ts'
import type { AgentConfig } from './config.ts'
import { digestOf } from './prompt/digest.ts'
import type { Hook } from './stage/hooks.ts'

export interface PolicySources {
  readonly config: AgentConfig
  readonly tools: readonly Tool[]
  readonly hooks: readonly Hook[]
  readonly model: ModelCapabilities
  /** Whether anybody can be asked in this run. */
  readonly audience: Policy['audience']
}

/** Everything that decisions depend on, from where it comes from; rules that the user added meanwhile stay. */
export function policyFor({ config, tools, hooks, model, audience }: PolicySources, state: SessionState): Policy {
  const added = state.policy?.permission.rules.filter(({ source }) => source === 'session' || source === 'always') ?? []
  const rules = [...(config.rules ?? []), ...added]
  const count = (permit: string) => rules.filter((rule) => rule.permit === permit).length
  const mode = config.permissionMode ?? 'workspace-write'
  const ruleCounts = { allow: count('allow'), deny: count('deny'), ask: count('ask') }
  const described = JSON.stringify(describeTools(tools))
  return {
    permission: {
      mode,
      promptingEnabled: mode === 'prompt' || ruleCounts.ask > 0,
      ruleCounts,
      rules,
      rulesSource: config.rulesSource ?? null,
    },
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
    audience,
  }
}

/** What decisions know the tools by. */
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

/** Whether two policies lead to the same decisions. */
export function samePolicy(one: Policy | null, other: Policy): boolean {
  return one !== null && JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]),
  )
}
