import type { SessionState, Turn } from '@loader/session-core'
import { verdictOfTurn } from './completion/finish.ts'
import { answerMove } from './moves/answer.ts'
import { callsMove } from './moves/calls.ts'
import { completingMove } from './moves/completing.ts'
import { prepareMove } from './moves/prepare.ts'
import { restMove } from './moves/rest.ts'
import { stopMove } from './moves/stop.ts'
import { toolsMove } from './moves/tools.ts'
import { unseenAfter } from './moves/unseen.ts'
import type { Move } from './words/move.ts'

/**
 * The version of the rules by which moves are chosen; `policy.applied` records it. A recording made under another
 * version is folded but its decisions are not recomputed, because these rules would decide differently. 2: permissions
 * depend on how far a call reaches. 3: the workspace is identified by git trees. 4: facts, statements and trials decide
 * how a turn ends.
 */
export const decisions = 4

/** Chooses the move of each phase, when no request, wait or call is left open. */
const phases: { readonly [Phase in Turn['phase']]: (state: SessionState, turn: Turn) => Move } = {
  prepare: prepareMove,
  assistant: answerMove,
  repair: answerMove,
  tools: toolsMove,
  completion: completingMove,
  finalize: completingMove,
}

/**
 * The next step of a session.
 *
 * Invariants:
 * 1. Total and pure: every state has exactly one next move, and the same state always has the same.
 * 2. A move that has an effect comes only when everything that it depends on has been recorded.
 * 3. Every way out of a turn is a `finish` with a reason of its own.
 * 4. Every retry and repair is counted against a limit in the state, so no turn can go on for ever.
 */
export function nextMove(state: SessionState): Move {
  const { turn } = state
  if (turn === null) return restMove(state)
  const move =
    stopMove(state, turn) ?? unsettledMove(state, turn) ?? unseenAfter(state, turn) ?? phases[turn.phase](state, turn)
  return withVerdict(move, state, turn)
}

/** Resolves what must be settled first: an interrupted request, a wait, or calls without a result. */
function unsettledMove(state: SessionState, turn: Turn): Move | undefined {
  const { request, wait } = turn
  if (request?.status === 'asked') {
    // Only reached when no stream is open, so the request was interrupted.
    const reason = request.epoch < state.epoch ? 'crashed' : 'cut'
    return { type: 'decide', events: [{ type: 'model.interrupted', requestId: request.id, reason }] }
  }
  if (wait !== null) return { type: 'wait', until: wait.until, why: wait.why }
  return callsMove(state, turn)
}

/** Adds the verdict on the work to a turn that ends before it was judged. */
function withVerdict(move: Move, state: SessionState, turn: Turn): Move {
  if (move.type !== 'finish' || move.verdict !== undefined || turn.lane !== 'main') return move
  const verdict = verdictOfTurn(state, turn)
  return verdict === undefined ? move : { ...move, verdict }
}
