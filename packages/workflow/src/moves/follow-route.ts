import type { SessionState, Turn } from '@loader/session-core'
import type { Move } from '../words/move.ts'
import { clarifyMove } from './clarify.ts'
import { planMove } from './plan.ts'

/** What the mode calls for before the model may go on with the work; undefined when nothing does. */
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
