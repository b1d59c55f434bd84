import type { JsonValue, SessionState } from '@loader/session-core'
import type { Tool } from '@loader/session-core/coding'

/**
 * The tools, without those that must be found first and were not found. What was found is read from the calls in the window,
 * so every process that continues the session offers the same tools.
 */
export function offeredTools({ messages }: SessionState, tools: readonly Tool[]): readonly Tool[] {
  if (!tools.some(({ onlyFound }) => onlyFound)) return tools
  const finding = new Map(tools.flatMap((tool) => (tool.finds === undefined ? [] : [[tool.name, tool] as const])))
  const found = new Set<string>()
  for (const { content } of messages.toArray()) {
    for (const part of content) {
      if (part.type !== 'call') continue
      for (const name of foundBy(finding.get(part.call.name), part.call.input)) found.add(name)
      // A tool that was called before may be called again, however it was found.
      found.add(part.call.name)
    }
  }
  return same(
    tools,
    tools.filter(({ name, onlyFound }) => !onlyFound || found.has(name)),
  )
}

function foundBy(tool: Tool | undefined, input: JsonValue): readonly string[] {
  return tool?.finds?.(input) ?? []
}

/** The list of the request before, where it is equal: descriptions are cached by the list. */
function same(tools: readonly Tool[], offered: readonly Tool[]): readonly Tool[] {
  const last = lastOffered.get(tools)
  if (last?.length === offered.length && last.every((tool, index) => tool === offered[index])) return last
  lastOffered.set(tools, offered)
  return offered
}

const lastOffered = new WeakMap<readonly Tool[], readonly Tool[]>()
