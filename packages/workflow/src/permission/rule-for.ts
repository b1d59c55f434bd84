import type { PermissionRule } from '@loader/session-core'
import { factsOf, type PermitCall } from './permit-call.ts'

/**
 * The rule that stands for an answer which is to hold for later calls too: for exactly this command, this path or, where
 * there is neither, this tool.
 */
export function ruleFor(call: PermitCall, permit: 'allow' | 'deny'): PermissionRule {
  const { name, shell, paths } = factsOf(call)
  if (shell !== undefined) return { permit, tool: name, pattern: `Bash(${literal(shell.command.trim(), /[\\*]/g)})` }
  const [first] = paths
  if (first === undefined || !['read', 'edit', 'write', 'patch', 'glob', 'grep'].includes(name)) {
    return { permit, tool: name }
  }
  const path = first.path.replaceAll('\\', '/')
  return { permit, pattern: `${name}(${path.startsWith('/') ? '/' : './'}${literal(path, /[*?[\]]/g)})` }
}

/** What has a meaning in patterns stands for itself. */
function literal(text: string, special: RegExp): string {
  return text.replace(special, String.raw`\$&`)
}
