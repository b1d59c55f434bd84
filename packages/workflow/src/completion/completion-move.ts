import { type SessionState, textOf, type Turn } from '@loader/session-core'
import type { Move } from '../move.ts'
import { earlierAnswers, latestAnswer } from './answers-of-turn.ts'
import { continuationMove } from './continuation.ts'
import { settle } from './decisions.ts'
import { finishMove } from './finish.ts'
import { gateMove } from './gate.ts'
import { lookMove } from './looks.ts'
import { detectTextLoop } from '../recovery/detect-text-loop.ts'

/**
 * What stands between an answer without calls and the end of the turn.
 *
 * Invariants:
 * 1. Total and pure, like every choice of a move.
 * 2. Each time the model is sent back costs a nudge or a retry, and both are counted; checks run at most twice for one
 *    answer. So a turn has no more of these moves than its limits allow.
 * 3. Nothing is judged by what was seen before the latest effect.
 */
export function completionMove(state: SessionState): Move {
  const { turn } = state
  if (turn === null) return { type: 'rest' }
  const judged = judgedAlready(state, turn)
  if (judged !== undefined) return judged
  return textLoopMove(state, turn) ?? lookMove(state, turn) ?? continuationMove(state, turn) ?? gateMove(state, turn)
}

/** The answer was judged: what follows from it. */
function judgedAlready(state: SessionState, turn: Turn): Move | undefined {
  const entry = state.completion
  if (turn.phase !== 'completion' || entry === null || entry.seq < turn.startedSeq) return undefined
  switch (entry.kind) {
    case 'completion_continue':
      return { type: 'ask_model', purpose: 'answer', attempt: 1 }
    case 'completion_complete':
    case 'completion_finalize':
      return finishMove(state, turn, entry)
    default:
      return undefined
  }
}

function textLoopMove(state: SessionState, turn: Turn): Move | undefined {
  const answer = latestAnswer(state, turn)
  if (answer === undefined) return undefined
  const loop = detectTextLoop(textOf(answer.content), earlierAnswers(state, turn, answer))
  if (!loop.looping) return undefined
  return settle(state, 'finalize', {
    stage: 'text_loop',
    code: loop.code,
    summary: `stopped because the model turned in circles: ${loop.why}`,
    evidenceProvenance: [
      { category: 'response', source: 'assistant_response', summary: loop.why, status: 'contradicts' },
    ],
  })
}
