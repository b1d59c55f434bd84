import type { SessionState, Turn } from '@loader/session-core'
import { limitsOf } from '../words/limits.ts'
import type { Move } from '../words/move.ts'
import { finishToolName } from '../words/tools.ts'
import { askMove } from './ask.ts'
import { completingMove } from './completing.ts'
import { driftMove } from './drift.ts'
import { failureMove } from './failure.ts'
import { followRoute } from './follow-route.ts'
import { stoppedByHook } from './stopped-by-hook.ts'

/** After the calls of an answer: sends their results to the model, unless the turn has to end. */
export function toolsMove(state: SessionState, turn: Turn): Move {
  const { request, spent } = turn
  if (request?.status === 'failed') return failureMove(state, turn, request)
  const stopped = stoppedByHook(turn)
  if (stopped !== undefined) return stopped
  if (spent.toolErrors >= limitsOf(state.policy).maxToolErrors) {
    const summary = `${spent.toolErrors} calls in a row failed.`
    return { type: 'finish', reason: 'tool_batch_halted', summary }
  }
  if (hasFinished(turn)) return completingMove(state, turn)
  return followRoute(state, turn) ?? driftMove(state) ?? askMove(state, turn)
}

/** The model called `finish`, and no other call of that answer failed. */
function hasFinished({ statement, calls }: Turn): boolean {
  return (
    statement !== undefined &&
    calls.some(({ call }) => call.name === finishToolName) &&
    calls.every(({ outcome }) => outcome === 'ok')
  )
}
