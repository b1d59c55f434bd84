import type { SessionState, Turn } from '@loader/session-core'
import { goalOfTurn } from '../goal/goal-of-turn.ts'
import { limitsOf } from '../limits.ts'
import { retriesOf } from './judgement-so-far.ts'

/** How often the model may still be told to go on, for whatever reason but failed verification. */
export function nudgesLeft(state: SessionState, turn: Turn): number {
  const { maxNudges } = limitsOf(state.policy)
  return Math.min(maxNudges - (turn.spent.nudges - retriesOf(state, turn)), allLeft(state, turn))
}

/** How often failed verification may still send the work back. */
export function retriesLeft(state: SessionState, turn: Turn): number {
  return Math.min(retryBudget(state) - retriesOf(state, turn), allLeft(state, turn))
}

export function retryBudget(state: SessionState): number {
  return goalOfTurn(state)?.retryBudget ?? limitsOf(state.policy).verificationRetries
}

/** Both together: the timeline of a long turn may have forgotten which was which, the count has not. */
function allLeft(state: SessionState, { spent }: Turn): number {
  return limitsOf(state.policy).maxNudges + retryBudget(state) - spent.nudges
}
