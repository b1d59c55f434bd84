import type { SessionState, Turn } from '@loader/session-core'
import { verdictOfTurn } from '../completion/finish.ts'
import type { Move } from '../move.ts'

/** A turn that changed something and ends before it was judged says so: what was not shown is not verified. */
export function withVerdict(move: Move, state: SessionState, turn: Turn): Move {
  if (move.type !== 'finish' || move.verdict !== undefined || turn.lane !== 'main') return move
  const verdict = verdictOfTurn(state, turn)
  return verdict === undefined ? move : { ...move, verdict }
}
