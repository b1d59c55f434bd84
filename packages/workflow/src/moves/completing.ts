import type { SessionState, Turn } from '@loader/session-core'
import { completionMove } from '../completion/completion-move.ts'
import type { Move } from '../move.ts'
import { stopHook } from './stop-hook.ts'
import { askMove } from './ask.ts'

/**
 * Whether the turn is done. Talk and exploration are done with their answer; work is judged. Hooks speak before that, so
 * that whatever they change is seen by the judgement.
 */
export function completingMove(state: SessionState, turn: Turn): Move {
  const hook = turn.phase === 'completion' ? undefined : stopHook(state, turn)
  if (hook !== undefined) return hook
  if (turn.lane !== 'main' || isTakenAtItsWord(state, turn))
    return wasSentBack(state, turn) ? askMove(state, turn) : answered(state, turn)
  const move = completionMove(state)
  return move.type === 'ask_model' && move.purpose === 'answer' ? askMove(state, turn) : move
}

/** Where that was asked for, an answer to which nothing was changed is not looked at. */
function isTakenAtItsWord({ policy }: SessionState, { work, doneWhen = [] }: Turn): boolean {
  return policy?.completionCheck === false && work.lastEffectSeq === null && doneWhen.length === 0
}

/** A hook did not take the answer as the end. */
function wasSentBack({ completion }: SessionState, { phase, startedSeq }: Turn): boolean {
  return phase === 'completion' && completion?.kind === 'completion_continue' && completion.seq > startedSeq
}

function answered({ messages }: SessionState, { lane, request }: Turn): Move {
  const responseId = messages.at(-1)?.id
  return {
    type: 'finish',
    reason: 'turn_complete',
    summary: lane === 'chat' ? 'Answered in words.' : 'Answered the question.',
    ...(responseId !== undefined && responseId === request?.id && { responseId }),
  }
}
