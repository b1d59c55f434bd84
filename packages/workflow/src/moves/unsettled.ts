import type { SessionState, Turn } from '@loader/session-core'
import type { Move } from '../move.ts'
import { callsMove } from './calls.ts'

/** What has to be settled before anything else: a request that was cut off, a wait, calls without a result. */
export function unsettledMove(state: SessionState, turn: Turn): Move | undefined {
  const { request, wait } = turn
  if (request?.status === 'asked') {
    // Whoever asks for a move is not reading an answer, so nobody is.
    const reason = request.epoch < state.epoch ? 'crashed' : 'cut'
    return { type: 'decide', events: [{ type: 'model.interrupted', requestId: request.id, reason }] }
  }
  if (wait !== null) return { type: 'wait', until: wait.until, why: wait.why }
  return callsMove(state, turn)
}
