import type { SessionState, Turn } from '@loader/session-core'
import { decide, type Move, type Recorded } from '../words/move.ts'
import { completionEntry, type CompletionReason } from '../timeline/completion-entry.ts'
import { latestAnswer } from './answers-of-turn.ts'

export type Reason = Omit<CompletionReason, 'mode' | 'outcome' | 'decisionKind'>

/** The model is sent back to work, with what it has to know. An answer that does not stand leaves the window. */
export function sendBack(
  state: SessionState,
  turn: Turn,
  reason: Reason,
  {
    note,
    answer,
    asks,
    before = [],
  }: {
    readonly note: string
    readonly answer: 'stands' | 'withdrawn'
    readonly asks: 'how_it_ended' | 'to_fix' | 'to_go_on'
    readonly before?: readonly Recorded[]
  },
): Move {
  const rejected = answer === 'withdrawn' ? latestAnswer(state, turn)?.id : undefined
  const entry = completionEntry({ ...reason, mode: modeAfter(state, before), outcome: 'continue' })
  return decide(...before, {
    type: 'workflow.decided',
    entry,
    note,
    asks,
    ...(rejected !== undefined && { withdraws: rejected }),
  })
}

/** The turn will end with this. */
export function settle(
  state: SessionState,
  outcome: 'complete' | 'finalize',
  reason: Reason,
  before: readonly Recorded[] = [],
): Move {
  return decide(...before, {
    type: 'workflow.decided',
    entry: completionEntry({ ...reason, mode: state.mode, outcome }),
  })
}

function modeAfter(state: SessionState, before: readonly Recorded[]): SessionState['mode'] {
  const route = before.findLast((event) => event.type === 'workflow.decided')
  return route?.entry.mode ?? state.mode
}
