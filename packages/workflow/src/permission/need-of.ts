import type { Effect, PermissionMode, Policy, Reach, ValidExamination } from '@loader/session-core/coding'
import { looks } from './looks.ts'
import { reachesAsFar, wallsState } from './reach.ts'
import { readShell } from './shell/read-shell.ts'

/** The effect of a call and the reach that it needs. */
export interface Need {
  readonly effect: Effect
  readonly reach: Reach
}

type Examined = Pick<ValidExamination<unknown>, 'effect' | 'paths' | 'command' | 'reach'>

/**
 * What a call needs, decided once, when it is examined. It is recorded with the call, enforced by the walls around
 * commands, and used by every other decision; it must not be computed anywhere else.
 */
export function needOf(examined: Examined, { permission, walls }: Pick<Policy, 'permission' | 'walls'>): Need {
  const { effect, paths, command, reach: wanted } = examined
  if (command === undefined) {
    const reach = reachOfPaths(effect, paths, walls)
    return { effect, reach: wanted === undefined || reachesAsFar(reach, wanted) ? reach : wanted }
  }
  const looking: Need = { effect: 'probe', reach: 'look' }
  // Walls prevent every write in this mode, so the call is treated as read-only.
  const heldToLook = permission.mode === 'read-only' && wallsState(walls) === 'held'
  switch (wanted) {
    case undefined:
      if (heldToLook || looks(readShell(command))) return looking
      return { effect: 'unknown', reach: isUnlimited(permission.mode) ? 'open' : 'work' }
    case 'look':
      return looking
    case 'work':
      return heldToLook ? looking : { effect: 'unknown', reach: 'work' }
    case 'network':
    case 'open':
      return { effect: 'unknown', reach: wanted }
    default:
      return wanted satisfies never
  }
}

function isUnlimited(mode: PermissionMode): boolean {
  return mode === 'danger-full-access' || mode === 'allow'
}

function reachOfPaths(effect: Effect, paths: Examined['paths'], walls: Policy['walls']): Reach {
  switch (effect) {
    case 'none':
      return 'look'
    case 'probe': {
      // Without walls, only this check keeps files with secrets from being read.
      const isVisible = ({ inside, access }: Examined['paths'][number]) =>
        access !== 'hidden' && (inside || wallsState(walls) !== 'missing')
      return paths.every(isVisible) ? 'look' : 'open'
    }
    case 'write':
      return paths.every(({ inside, access = inside ? 'writable' : 'readonly' }) => access === 'writable')
        ? 'work'
        : 'open'
    case 'unknown':
      return 'open'
    default:
      return effect satisfies never
  }
}
