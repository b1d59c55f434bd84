import type { PermissionRule } from '@loader/session-core/coding'
import { type KnownTools, usualTools } from './rules/known-tools.ts'
import { factsOf, type PermitCall } from './permit-call.ts'

/**
 * The rule that stands for an answer which is to hold for later calls too: for exactly this command, this path or, where
 * there is neither, this tool.
 */
export function ruleFor(call: PermitCall, permit: 'allow' | 'deny', tools: KnownTools = usualTools): PermissionRule {
  const { name, shell, paths } = factsOf(call, {}, tools)
  const known = tools.get(name)?.rule
  if (shell !== undefined) {
    const pattern = `${known?.names[0] ?? 'Bash'}(${literal(shell.command.trim(), /[\\*]/g)})`
    return { permit, tool: name, pattern }
  }
  const [first] = paths
  if (first === undefined || known?.takes !== 'path') return { permit, tool: name }
  const path = first.path.replaceAll('\\', '/')
  return { permit, pattern: `${name}(${path.startsWith('/') ? '/' : './'}${literal(path, /[*?[\]]/g)})` }
}

/** What such a rule would hold for. */
export function lastingOf(call: PermitCall, tools: KnownTools): 'command' | 'path' | 'tool' {
  const { pattern, tool } = ruleFor(call, 'allow', tools)
  if (pattern === undefined) return 'tool'
  return tool === undefined ? 'path' : 'command'
}

/** What has a meaning in patterns stands for itself. */
function literal(text: string, special: RegExp): string {
  return text.replace(special, String.raw`\$&`)
}
