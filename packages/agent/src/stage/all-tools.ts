import type { Signal } from '@loader/session-core'
import type { Tool, ToolSource } from '@loader/session-core/coding'
import type { AgentPorts } from './stage.ts'

/** The tools of the program, and after them those that others provide: of two with one name the first is meant. */
export function allTools({ tools, toolSource }: Pick<AgentPorts, 'tools' | 'toolSource'>): readonly Tool[] {
  const more = toolSource?.tools ?? none
  if (more.length === 0) return tools
  const known = joined.get(more)
  if (known?.tools === tools) return known.all
  const all = [...tools, ...more]
  joined.set(more, { tools, all })
  return all
}

const none: readonly Tool[] = []

/** What is derived from a list of tools is cached by the list, so that equal lists must be the same. */
const joined = new WeakMap<readonly Tool[], { readonly tools: readonly Tool[]; readonly all: readonly Tool[] }>()

/** The ports, with `tools` as a getter that always returns the current list of all tools. */
export function withAllTools<Ports extends Pick<AgentPorts, 'tools' | 'toolSource'>>(ports: Ports): Ports {
  const { tools, toolSource } = ports
  return Object.defineProperty({ ...ports }, 'tools', {
    enumerable: true,
    get: () => allTools({ tools, ...(toolSource && { toolSource }) }),
  })
}

/** Takes over changes that the tool source has announced; true if anything changed since the last call. */
export async function refreshTools({
  toolSource,
  signal,
}: Pick<AgentPorts, 'toolSource'> & { readonly signal: Signal }): Promise<boolean> {
  if (toolSource === undefined) return false
  await toolSource.refresh({ signal })
  const { tools, servers } = toolSource
  const before = lastSeen.get(toolSource)
  lastSeen.set(toolSource, { tools, servers })
  return before?.tools !== tools || before.servers !== servers
}

const lastSeen = new WeakMap<ToolSource, Pick<ToolSource, 'tools' | 'servers'>>()
