import { planCompaction, shouldCompact } from '@loader/compaction'
import type { SessionState, Turn } from '@loader/session-core'
import { limitsOf } from '../words/limits.ts'
import type { Move } from '../words/move.ts'
import { hookFor } from './calls.ts'
import { stoppedByHook } from './stopped-by-hook.ts'

/** The next answer, if the budgets of the turn allow one and it fits into the window. */
export function askMove(state: SessionState, turn: Turn): Move {
  return (
    steeringMove(state, turn) ??
    overBudget(state, turn) ??
    compactionMove(state, turn) ?? { type: 'ask_model', purpose: 'answer', attempt: 1 }
  )
}

/** What was said for this turn comes before its next request. Another task waits for a turn of its own. */
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

/** What has to happen before a request of that size can be made, or undefined when it can. */
export function compactionMove(state: SessionState, turn: Turn): Move | undefined {
  const size = shouldCompact(state)
  switch (size.need) {
    case 'none':
      return undefined
    case 'stuck':
      // Above the threshold only: the request is large, but it can still be made.
      if (size.over === 'threshold') return undefined
      return {
        type: 'finish',
        reason: 'context_exhausted',
        summary: `The request does not fit into the window of the model: ${size.reason}.`,
      }
    case 'compact':
      // Above the threshold with nothing to fold yet: the budget is kept for when there is.
      if (size.why === 'threshold' && planCompaction(state) === null) return undefined
      return hookFor(state, turn, 'pre_compact', undefined) ?? permitted(state, turn, size.why)
    default:
      return size satisfies never
  }
}

/** A hook may refuse: a request that is merely large is made as it is, one that was too long cannot be made. */
function permitted(state: SessionState, turn: Turn, why: 'threshold' | 'overflow'): Move | undefined {
  const stopped = stoppedByHook(turn)
  if (stopped !== undefined) return stopped
  const refusal = refusedCompaction(turn)
  if (refusal === undefined) return summarise(state, turn, why)
  if (why === 'threshold') return undefined
  const summary = `The request does not fit into the window of the model, and ${refusal}`
  return { type: 'finish', reason: 'context_exhausted', summary }
}

/** That a hook refused the compaction, in words. */
export function refusedCompaction({ hooks }: Turn): string | undefined {
  const refusal = hooks.find(({ on, decision }) => on === 'pre_compact' && decision === 'deny')
  if (refusal === undefined) return undefined
  const said = refusal.message === undefined ? '.' : `: ${refusal.message}`
  return `hook ${refusal.hook} refused to have it compacted${said}`
}

/**
 * Who writes the summary. A model may, where that was asked for, the request was not refused as too long, and it did
 * not fail just now; otherwise the runtime does it from what is in the state.
 */
function summarise(state: SessionState, { request }: Turn, why: string): Move {
  if (state.policy?.compaction !== 'model' || why === 'overflow') return { type: 'compact', method: 'local', why }
  if (planCompaction(state) === null) return { type: 'compact', method: 'local', why }
  if (request?.purpose !== 'summary') return { type: 'ask_model', purpose: 'summary', attempt: 1 }
  return { type: 'compact', method: request.status === 'answered' ? 'model' : 'local', why }
}
