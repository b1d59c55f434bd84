import type { SessionState, Turn } from '@loader/session-core'
import { decide, type Step, type Recorded } from '../words/step.ts'
import { completionEntry, type CompletionReason } from '../timeline/completion-entry.ts'
import { latestAnswer } from './answers-of-turn.ts'

export type Reason = Omit<CompletionReason, 'mode' | 'outcome' | 'decisionKind'>

/** Sends the model back to work with a note. An answer that does not stand is removed from the window. */
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
): Step {
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

/** Records the decision that the turn ends with. */
export function endTurn(
  state: SessionState,
  outcome: 'complete' | 'finalize',
  reason: Reason,
  before: readonly Recorded[] = [],
): Step {
  return decide(...before, {
    type: 'workflow.decided',
    entry: completionEntry({ ...reason, mode: state.mode, outcome }),
  })
}

function modeAfter(state: SessionState, before: readonly Recorded[]): SessionState['mode'] {
  const route = before.findLast((event) => event.type === 'workflow.decided')
  return route?.entry.mode ?? state.mode
}
