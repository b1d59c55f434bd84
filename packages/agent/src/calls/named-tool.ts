import { JsonObject, type JsonValue } from '@loader/session-core'
import type { Tool, ToolAlias } from '@loader/session-core/coding'

export interface NamedTool {
  readonly tool: Tool
  /** Whether the model used the tool's own name, in any spelling, or an alias. */
  readonly by: 'name' | 'alias'
}

/** The tool that a model means. The own name of a tool, in any spelling, takes precedence over an alias of another. */
export function namedTool(tools: readonly Tool[], name: string, input: JsonValue): NamedTool | undefined {
  const called = plainName(name)
  const own = tools.find((tool) => tool.name === name) ?? tools.find((tool) => plainName(tool.name) === called)
  if (own !== undefined) return { tool: own, by: 'name' }
  const other = tools.find(({ aliases }) => aliases?.names.some((alias) => isMeant(alias, called, input)))
  return other && { tool: other, by: 'alias' }
}

function isMeant(alias: ToolAlias, called: string, input: JsonValue): boolean {
  if (typeof alias === 'string') return plainName(alias) === called
  if (plainName(alias.name) !== called) return false
  const given = new Map(Object.entries(JsonObject.safeParse(input).data ?? {}))
  return Object.entries(alias.when).every(([key, value]) => given.get(key) === value)
}

/** `read_file`, `ReadFile` and `functions.read-file` are the same name. */
export function plainName(name: string): string {
  return name
    .replace(/^(functions|tools|default_api)[.:]/, '')
    .toLowerCase()
    .replaceAll(/[_\-. ]/g, '')
}
