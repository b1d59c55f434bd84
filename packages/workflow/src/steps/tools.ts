import type { SessionState, Turn } from '@loader/session-core'
import { limitsOf } from '../words/limits.ts'
import type { Step } from '../words/step.ts'
import { finishToolName } from '../words/tools.ts'
import { askStep } from './ask.ts'
import { completingStep } from './completing.ts'
import { driftStep } from './drift.ts'
import { failureStep } from './failure.ts'
import { followRoute } from './follow-route.ts'
import { stoppedByHook } from './stopped-by-hook.ts'

/** After the calls of an answer: sends their results to the model, unless the turn has to end. */
export function toolsStep(state: SessionState, turn: Turn): Step {
  const { request, spent } = turn
  if (request?.status === 'failed') return failureStep(state, turn, request)
  const stopped = stoppedByHook(turn)
  if (stopped !== undefined) return stopped
  if (spent.toolErrors >= limitsOf(state.policy).maxToolErrors) {
    const summary = `${spent.toolErrors} calls in a row failed.`
    return { type: 'finish', reason: 'tool_batch_halted', summary }
  }
  if (hasFinished(turn)) return completingStep(state, turn)
  return followRoute(state, turn) ?? driftStep(state) ?? askStep(state, turn)
}

/** The model called `finish`, and no other call of that answer failed. */
function hasFinished({ statement, calls }: Turn): boolean {
  return (
    statement !== undefined &&
    calls.some(({ call }) => call.name === finishToolName) &&
    calls.every(({ outcome }) => outcome === 'ok')
  )
}
