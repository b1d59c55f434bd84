import { backgroundTool, fetchTool, publishTool } from '@loader/tools'
import { BackgroundCommands, type BackgroundOptions } from '@loader/workspace'
import { agentTool } from './children/agent-tool.ts'
import { localChildren } from './local-children.ts'
import type { OfferedTools, WantedTools } from './offered.ts'

export type { AgentKind, ChildAgent, ChildRun } from './children/child-agent.ts'
export type { AgentOfChildren, ChildOptions, OfferedTools, WantedAgents, WantedTools } from './offered.ts'

/** Makes what `localAgent` takes as `offered`. It is apart from the agent, so that those without it do not load it. */
export function offerTools({ background = false, keeper, fetch = false, agents }: WantedTools): OfferedTools {
  return {
    ...(background && { background: (options) => new BackgroundCommands({ ...options, keeper }) }),
    tools: (commands) => [
      ...(commands === undefined ? [] : [backgroundTool(commands), publishTool(commands)]),
      ...(fetch ? [fetchTool(commands && { background: commands })] : []),
    ],
    ...(agents && { agents: (own) => agentTool(localChildren(own, agents)) }),
  }
}

/** For sessions that know of commands of an earlier process, in an agent that starts none. */
export function foundCommands(options: BackgroundOptions): BackgroundCommands {
  return new BackgroundCommands(options)
}
