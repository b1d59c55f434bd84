import type { PermissionMode, PermissionRule, Policy, Reach } from '@loader/session-core/coding'

/** The mode if neither the user nor the settings choose one. */
export const defaultPermissionMode = 'workspace-write' satisfies PermissionMode

/** What `permissionOf` makes the permissions of a policy from. */
export interface PermissionSources {
  readonly mode?: PermissionMode | undefined
  readonly rules: readonly PermissionRule[]
  /** The file that the rules were read from. */
  readonly rulesSource?: string | null | undefined
  /** The most that any call can touch. */
  readonly within?: Reach | undefined
  /** Folders that the workspace is a copy of. */
  readonly copyOf?: readonly string[] | undefined
}

/** Mode and rules as a policy has them, with how many rules of each kind there are. */
export function permissionOf({
  mode = defaultPermissionMode,
  rules,
  rulesSource = null,
  within,
  copyOf,
}: PermissionSources): Policy['permission'] {
  const count = (permit: PermissionRule['permit']) => rules.filter((rule) => rule.permit === permit).length
  const ruleCounts = { allow: count('allow'), deny: count('deny'), ask: count('ask') }
  const promptingEnabled = mode === 'prompt' || ruleCounts.ask > 0
  const at = { ...(within !== undefined && { within }), ...(copyOf !== undefined && { copyOf: [...copyOf] }) }
  return { mode, ...at, promptingEnabled, ruleCounts, rules: [...rules], rulesSource }
}
