import type { SessionState, Turn } from '@loader/session-core'
import { goalOfTurn } from '../goal/goal-of-turn.ts'
import { limitsOf } from '../words/limits.ts'

/** How often the model may still be told to go on, for whatever reason but failed verification. */
export function nudgesLeft({ policy }: SessionState, { spent }: Turn): number {
  return limitsOf(policy).maxNudges - (spent.nudges - spent.retries)
}

/** How often failed verification may still send the work back. */
export function retriesLeft(state: SessionState, { spent }: Turn): number {
  return retryBudget(state) - spent.retries
}

export function retryBudget(state: SessionState): number {
  return goalOfTurn(state)?.retryBudget ?? limitsOf(state.policy).verificationRetries
}
