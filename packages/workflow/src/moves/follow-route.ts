import type { SessionState, Turn } from '@loader/session-core'
import type { Move } from '../words/move.ts'
import { clarifyMove } from './clarify.ts'
import { planMove } from './plan.ts'

/** The moves of the modes `clarify` and `plan`; undefined in modes where the model simply works. */
export function followRoute(state: SessionState, turn: Turn): Move | undefined {
  switch (state.mode) {
    case 'clarify':
      return clarifyMove(state, turn)
    case 'plan':
      return planMove(state, turn)
    case 'execute':
    case 'verify':
    case 'explore':
      return undefined
    default:
      return state.mode satisfies never
  }
}
