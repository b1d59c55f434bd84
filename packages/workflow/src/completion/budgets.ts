import type { SessionState, Turn } from '@loader/session-core'
import { goalOfTurn } from '../goal/goal-of-turn.ts'
import { limitsOf } from '../words/limits.ts'

/** How many more times the model may be sent back to work for any reason except failed verification. */
export function nudgesLeft({ policy }: SessionState, { spent }: Turn): number {
  return limitsOf(policy).maxNudges - (spent.nudges - spent.retries)
}

/** How many more times failed verification may send the model back to work. */
export function retriesLeft(state: SessionState, { spent }: Turn): number {
  return retryBudget(state) - spent.retries
}

export function retryBudget(state: SessionState): number {
  return goalOfTurn(state)?.retryBudget ?? limitsOf(state.policy).verificationRetries
}
