import type { PermissionMode, Permit } from '@loader/session-core/coding'
import type { Level } from './shell/level.ts'

/** The mildest mode that lets a call of this level run without a question. */
export function requiredMode(level: Level): PermissionMode {
  switch (level) {
    case 'probe':
      return 'read-only'
    case 'write':
    case 'run':
      return 'workspace-write'
    case 'ask':
    case 'danger':
    case 'ruin':
      return 'danger-full-access'
    default:
      return level satisfies never
  }
}

/** What a mode says to a call, when no rule and no hook has spoken. */
export function permitOfMode(mode: PermissionMode, level: Level): Permit {
  switch (mode) {
    case 'prompt':
      return 'ask'
    case 'allow':
    case 'danger-full-access':
      return 'allow'
    case 'workspace-write':
      if (level === 'ask') return 'ask'
      return requiredMode(level) === 'danger-full-access' ? 'deny' : 'allow'
    case 'read-only':
      return level === 'probe' ? 'allow' : 'deny'
    default:
      return mode satisfies never
  }
}
