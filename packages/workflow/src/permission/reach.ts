import { type PermissionMode, type Permission, type Policy, Reach } from '@loader/session-core/coding'

/** Whether a permission for one reach covers a call of the other. */
export function reachesAsFar(granted: Reach, needed: Reach): boolean {
  return Reach.options.indexOf(granted) >= Reach.options.indexOf(needed)
}

/** The strictest mode that lets a call of this reach run without a question. */
export function requiredMode(reach: Reach): PermissionMode {
  switch (reach) {
    case 'look':
      return 'read-only'
    case 'work':
      return 'workspace-write'
    case 'network':
    case 'open':
      return 'danger-full-access'
    default:
      return reach satisfies never
  }
}

/** The permission that a mode gives when no rule and no hook decides. */
export function permissionOfMode(mode: PermissionMode, reach: Reach): Permission {
  switch (mode) {
    case 'read-only':
      return reach === 'look' ? 'allow' : 'deny'
    case 'workspace-write':
      return reachesAsFar('work', reach) ? 'allow' : 'ask'
    case 'prompt':
      return reach === 'look' ? 'allow' : 'ask'
    case 'allow':
    case 'danger-full-access':
      return 'allow'
    default:
      return mode satisfies never
  }
}

/** Whether walls contain commands. Without a record of walls, there are none. */
export function wallsState(walls: Policy['walls']): NonNullable<Policy['walls']>['state'] {
  return walls?.state ?? 'missing'
}
