import type { PermissionRule, ToolSource } from '@loader/session-core/coding'
import { WorkspaceCopies } from '@loader/workspace'
import { defaultChildLimits } from '@loader/workflow'
import { usualKind } from './children/agent-input.ts'
import type { ChildPorts, ChildSetup } from './children/child-agent.ts'
import { childWords } from './children/child-words.ts'
import type { AgentConfig } from './config.ts'
import type { AgentOfChildren, WantedAgents } from './offered.ts'

/** Children on this machine: their agents, and the copies of the workspace that they change. */
export function localChildren(
  own: AgentOfChildren,
  { kinds = new Map(), limits, backendOf }: WantedAgents,
): ChildPorts {
  const { root, project } = own
  const copies = new WorkspaceCopies({ root, project })
  return {
    kinds,
    limits: { ...defaultChildLimits, ...limits },
    store: own.store,
    trees: own.trees,
    copies,
    async begin(setup) {
      const { child, grant, kind, parent } = setup
      const found = setup.copy === undefined ? undefined : copies.find(child.id)
      const copy = found === 'torn' ? undefined : found
      const backend = kind?.model === undefined ? undefined : await backendOf?.(kind.model)
      return own.begin({
        sessionId: child.id,
        parent: { id: parent.id, callId: child.callId, depth: child.depth },
        title: child.title,
        agentType: kind?.name ?? child.agent ?? usualKind,
        config: configOf(setup, own),
        onlyTools: grant.tools,
        told: childWords(setup),
        ...(own.toolSource && { toolSource: someOf(own.toolSource, grant.tools) }),
        ...(backend && { backend }),
        ...(copy && { copy }),
      })
    },
  }
}

/** The settings of the parent, within the grant. All rules of the parent hold, those of its session too. */
function configOf({ grant, parent, copy }: ChildSetup, { root, config }: AgentOfChildren): AgentConfig {
  const { workflowMode: _mode, budget, copyOf = [], rules: own = [], ...rest } = config()
  const rules = unique([...own, ...(parent.policy?.permission.rules ?? [])])
  const origins = copy === undefined ? copyOf : [root, ...copyOf]
  return {
    ...rest,
    permissionMode: grant.mode,
    within: grant.within,
    rules,
    ...(origins.length > 0 && { copyOf: origins }),
    limits: {
      ...rest.limits,
      maxIterations: grant.turns,
      ...(grant.tokens !== undefined && { maxTurnTokens: grant.tokens }),
    },
    ...(grant.usd !== undefined && { budget: { ...budget, usd: grant.usd } }),
  }
}

function unique(rules: readonly PermissionRule[]): PermissionRule[] {
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()]
}

/** Some tools of servers, which stay those of the parent. */
function someOf(source: ToolSource, names: readonly string[]): ToolSource {
  let last: { readonly all: ToolSource['tools']; readonly some: ToolSource['tools'] } | undefined
  return {
    get tools() {
      const all = source.tools
      if (last?.all !== all) last = { all, some: all.filter(({ name }) => names.includes(name)) }
      return last.some
    },
    get servers() {
      return source.servers
    },
    refresh: (options) => source.refresh(options),
    ...(source.secrets && { secrets: () => source.secrets?.() ?? [] }),
  }
}
