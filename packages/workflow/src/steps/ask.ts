import type { SessionState, Turn } from '@loader/session-core'
import { tokensOfTurn } from '../children/child-share.ts'
import { limitsOf } from '../words/limits.ts'
import type { Step } from '../words/step.ts'
import { compactionStep } from './compaction.ts'

/** Requests the next answer, if the turn's budgets allow it and the request fits into the window. */
export function askStep(state: SessionState, turn: Turn): Step {
  return (
    steeringStep(state, turn) ??
    overBudget(state, turn) ??
    compactionStep(state, turn) ?? { type: 'ask_model', purpose: 'answer', attempt: 1 }
  )
}

/**
 * Steering messages for this turn are taken before its next request. Queued tasks wait for a turn of their own.
 */
export function steeringStep({ queue }: SessionState, { pending }: Turn): Step | undefined {
  const waiting = queue.find(({ source }) => source === 'steering')
  if (waiting === undefined || pending !== null) return undefined
  return { type: 'take_input', inputId: waiting.inputId, as: 'steering' }
}

function overBudget(state: SessionState, turn: Turn): Step | undefined {
  const { maxIterations, maxTurnTokens, maxCrashes } = limitsOf(state.policy)
  const { iterations, crashes } = turn.spent
  const ofChildren = turn.childUsage?.iterations ?? 0
  if (iterations + ofChildren >= maxIterations) {
    const asked =
      ofChildren === 0 ? `${iterations} times` : `${iterations} times, and ${ofChildren} times by its agents`
    const summary = `The model was asked ${asked}, which is all that one turn may use.`
    return { type: 'finish', reason: 'iteration_budget_exhausted', summary }
  }
  if (crashes > maxCrashes) {
    const summary = `The process ended ${crashes} times during this turn; it is not tried once more.`
    return { type: 'finish', reason: 'crash_budget_exhausted', summary }
  }
  const tokens = tokensOfTurn({ turn })
  if (maxTurnTokens !== undefined && tokens >= maxTurnTokens) {
    const summary = `The turn has used ${tokens} tokens of the ${maxTurnTokens} that it may use.`
    return { type: 'finish', reason: 'token_budget_exhausted', summary }
  }
  return undefined
}
