import type { SessionState, Turn } from '@loader/session-core'
import { limitsOf } from '../words/limits.ts'
import type { Move } from '../words/move.ts'
import { compactionMove } from './compaction.ts'

/** Requests the next answer, if the turn's budgets allow it and the request fits into the window. */
export function askMove(state: SessionState, turn: Turn): Move {
  return (
    steeringMove(state, turn) ??
    overBudget(state, turn) ??
    compactionMove(state, turn) ?? { type: 'ask_model', purpose: 'answer', attempt: 1 }
  )
}

/**
 * Steering messages for this turn are taken before its next request. Queued tasks wait for a turn of their own.
 */
export function steeringMove({ queue }: SessionState, { pending }: Turn): Move | undefined {
  const waiting = queue.find(({ source }) => source === 'steering')
  if (waiting === undefined || pending !== null) return undefined
  return { type: 'take_input', inputId: waiting.inputId, as: 'steering' }
}

function overBudget(state: SessionState, turn: Turn): Move | undefined {
  const { maxIterations, maxTurnTokens, maxCrashes } = limitsOf(state.policy)
  const { iterations, crashes } = turn.spent
  if (iterations >= maxIterations) {
    const summary = `The model was asked ${iterations} times, which is all that one turn may use.`
    return { type: 'finish', reason: 'iteration_budget_exhausted', summary }
  }
  if (crashes > maxCrashes) {
    const summary = `The process ended ${crashes} times during this turn; it is not tried once more.`
    return { type: 'finish', reason: 'crash_budget_exhausted', summary }
  }
  const tokens = (turn.usage.inputTokens ?? 0) + (turn.usage.outputTokens ?? 0)
  if (maxTurnTokens !== undefined && tokens >= maxTurnTokens) {
    const summary = `The turn has used ${tokens} tokens of the ${maxTurnTokens} that it may use.`
    return { type: 'finish', reason: 'token_budget_exhausted', summary }
  }
  return undefined
}
