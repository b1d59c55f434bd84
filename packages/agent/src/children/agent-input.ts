import type { ToolAliases } from '@loader/session-core/coding'
import * as z from 'zod'

export const AgentInput = z.object({
  description: z.string().trim().min(1).describe('the task in three to eight words'),
  prompt: z
    .string()
    .trim()
    .min(1)
    .describe('the whole task, with all that is needed to know: the agent sees nothing of this conversation'),
  agent: z.string().optional().describe('the kind of agent, if one of those above fits'),
  changes: z
    .boolean()
    .optional()
    .describe('true: it may change files. It works in a copy, and what it changed is taken over when it is done'),
})
export type AgentInput = z.infer<typeof AgentInput>

/** The names and arguments under which models call it. */
export const agentAliases: ToolAliases = {
  names: ['task', 'sub_agent', 'spawn_agent', 'dispatch_agent', 'delegate', 'run_agent'],
  arguments: {
    description: ['title', 'name', 'summary'],
    prompt: ['task', 'instructions', 'message', 'query'],
    agent: ['subagent_type', 'agent_type', 'agent_name', 'type', 'kind'],
    changes: ['write', 'may_write', 'edits'],
  },
  main: 'prompt',
  adapt(input) {
    const { prompt, description } = input
    if (description !== undefined || typeof prompt !== 'string') return input
    return { ...input, description: prompt.trim().split('\n')[0]?.slice(0, 80) ?? 'task' }
  },
}

/** The name for hooks of an agent of no special kind. */
export const usualKind = 'general-purpose'

/** What other programs call an agent of no special kind. */
export const noKind: ReadonlySet<string> = new Set([usualKind, 'general', 'default', 'none', ''])
