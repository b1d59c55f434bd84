import type { Effect, PermissionMode, Policy, Reach, ValidExamination } from '@loader/session-core/coding'
import { looks } from './looks.ts'
import { wallsState } from './reach.ts'
import { readShell } from './shell/read-shell.ts'

/** What a call can do, and what it has to reach for that. */
export interface Need {
  readonly effect: Effect
  readonly reach: Reach
}

type Examined = Pick<ValidExamination<unknown>, 'effect' | 'paths' | 'command' | 'reach'>

/**
 * What a call needs, decided once, when it is examined. It is recorded with the call, enforced by the walls that a
 * command runs in, and read by everything else: there is no second opinion.
 */
export function needOf(examined: Examined, { permission, walls }: Pick<Policy, 'permission' | 'walls'>): Need {
  const { effect, paths, command, reach: wanted } = examined
  if (command === undefined) return { effect, reach: reachOfPaths(effect, paths, walls) }
  const looking: Need = { effect: 'probe', reach: 'look' }
  // Behind a wall nothing can be written, so whatever it is, it can only look.
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
      // Without walls nothing else keeps secrets out of sight.
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
