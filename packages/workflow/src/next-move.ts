import type { SessionState, Turn } from '@loader/session-core'
import type { Move } from './move.ts'
import { answerMove } from './moves/answer.ts'
import { completingMove } from './moves/completing.ts'
import { prepareMove } from './moves/prepare.ts'
import { restMove } from './moves/rest.ts'
import { stopMove } from './moves/stop.ts'
import { toolsMove } from './moves/tools.ts'
import { unseenAfter } from './moves/unseen.ts'
import { unsettledMove } from './moves/unsettled.ts'
import { withVerdict } from './moves/with-verdict.ts'

/** What a turn does in each phase, once nothing is left open. */
const phases: { readonly [Phase in Turn['phase']]: (state: SessionState, turn: Turn) => Move } = {
  prepare: prepareMove,
  assistant: answerMove,
  repair: answerMove,
  tools: toolsMove,
  critique: completingMove,
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
 * 4. Budgets are read from the state, so no chain of outcomes goes on for ever.
 */
export function nextMove(state: SessionState): Move {
  const { turn } = state
  if (turn === null) return restMove(state)
  const move =
    stopMove(state, turn) ?? unsettledMove(state, turn) ?? unseenAfter(state, turn) ?? phases[turn.phase](state, turn)
  return withVerdict(move, state, turn)
}
