import type { SessionState, Turn } from '@loader/session-core'
import type { Step } from '../words/step.ts'
import { clarifyStep } from './clarify.ts'
import { isPlanHeld } from '../permission/held-plan.ts'
import { planStep } from './plan.ts'

/**
 * The steps of the modes `clarify` and `plan`; undefined where the model simply works. For a plan that the user has to
 * approve, the model looks around first and answers with it.
 */
export function followRoute(state: SessionState, turn: Turn): Step | undefined {
  switch (state.mode) {
    case 'clarify':
      return clarifyStep(state, turn)
    case 'plan':
      return isPlanHeld(state) ? undefined : planStep(state, turn)
    case 'execute':
    case 'verify':
    case 'explore':
      return undefined
    default:
      return state.mode satisfies never
  }
}
