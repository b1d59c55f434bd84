import type { Effect } from '@loader/session-core/coding'
import { factsOf, type PermitCall } from './permit-call.ts'
import { worst } from './shell/level.ts'

/**
 * What a call can do, with shell commands judged by what they say: one that only looks is a probe. Until a call was
 * examined it can do anything.
 */
export function effectOf({ call, examined }: PermitCall): Effect {
  if (examined === undefined) return 'unknown'
  const { effect, command } = examined
  if (command === undefined) return effect
  const { findings } = factsOf({ call, examined })
  const looks = worst(findings.map(({ level }) => level)) === 'probe'
  if (looks) return effect === 'unknown' ? 'probe' : effect
  return effect === 'write' ? 'write' : 'unknown'
}
