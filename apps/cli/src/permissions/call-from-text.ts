import { JsonObject } from '@loader/session-core'
import { type Tool, Reach } from '@loader/session-core/coding'
import type { PermissionCall } from '@loader/workflow'
import { resolvePlace } from '@loader/workspace'
import { readJsonText } from '../settings/json-text.ts'

/**
 * Parses a call: a shell command as it is; `Write(src/a.ts)` and `Bash(git push)` in the notation of rules; or a tool
 * with arguments, `write {"file_path": "src/a.ts"}`.
 */
export function callFromText(text: string, root: string, tools: readonly Tool[]): PermissionCall {
  const [, name = '', inside = ''] = /^\s*([A-Za-z_]\w*)\((.*)\)\s*$/s.exec(text) ?? []
  const tool = toolCalled(name, tools)
  if (tool?.rule?.takes === 'command') return shellCall(inside, tool.name)
  if (tool?.rule?.takes === 'path') return pathCall(tool, inside, { file_path: inside }, root)
  const [, named = '', rest = ''] = /^\s*([A-Za-z_]\w*)\s+(\{.*\})\s*$/s.exec(text) ?? []
  const json = named === '' ? undefined : readJsonText(rest)
  const input = json?.ok ? JsonObject.parse(json.value) : undefined
  if (input === undefined) return shellCall(text.trim())
  const meant = toolCalled(named, tools)
  return meant === undefined ? anything(named.toLowerCase(), input) : callWithInput(meant, input, root)
}

function toolCalled(name: string, tools: readonly Tool[]): Tool | undefined {
  return tools.find((tool) => tool.name === name.toLowerCase())
}

function anything(name: string, input: JsonObject): PermissionCall {
  return { call: { name, input }, examined: { effect: 'unknown' } }
}

function callWithInput(tool: Tool, input: JsonObject, root: string): PermissionCall {
  const { name, rule, effect = 'unknown' } = tool
  const command = input['command']
  if (rule?.takes === 'command' && typeof command === 'string')
    return { call: { name, input }, examined: { effect: 'unknown', command, ...reachIn(input) } }
  const path = ['file_path', 'path'].map((key) => input[key]).find((value) => typeof value === 'string')
  if (rule?.takes === 'path') return pathCall(tool, path ?? '', input, root)
  return { call: { name, input }, examined: { effect } }
}

function reachIn({ reach }: JsonObject): { readonly reach?: Reach } {
  const known = Reach.safeParse(reach)
  return known.success ? { reach: known.data } : {}
}

function shellCall(command: string, name = 'bash'): PermissionCall {
  return { call: { name, input: { command } }, examined: { effect: 'unknown', command } }
}

function pathCall({ name, effect = 'unknown' }: Tool, path: string, input: JsonObject, root: string): PermissionCall {
  if (path === '') return { call: { name, input }, examined: { effect } }
  const place = resolvePlace(root, path)
  if (place.kind === 'refused') return { call: { name, input }, examined: { effect: 'none', invalid: place.why } }
  return {
    call: { name, input },
    examined: { effect, paths: [{ path: place.path, inside: place.inside && !place.guarded }] },
  }
}
