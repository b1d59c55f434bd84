import type { EventOf, SessionEvent } from '../events/event.ts'
import type { SessionState } from '../state/state.ts'
import { type Turn, unansweredCalls } from '../state/turn.ts'

// Closes what was open before a gap, when a later event shows that it has ended.

/** Applies an event to a state, or refuses it. */
export type Apply = (state: SessionState, event: SessionEvent) => SessionState

/** Closes the open request, if any, as interrupted. */
export function interrupted(state: SessionState, event: SessionEvent, apply: Apply): SessionState {
  const { request } = state.turn ?? {}
  if (request?.status !== 'asked') return state
  const told: EventOf<'model.interrupted'> = {
    ...placeOf(event),
    type: 'model.interrupted',
    requestId: request.id,
    reason: 'lost',
  }
  return apply(state, told)
}

/** Closes calls whose end is lost: the outcome of a started one is unknown, one that never started did nothing. */
export function reconciled(state: SessionState, event: SessionEvent, apply: Apply): SessionState {
  return unansweredCalls(state.turn).reduce(
    (before, { call, startedEpoch }) => {
      const outcome = startedEpoch === undefined ? ('interrupted' as const) : ('unknown' as const)
      const text =
        outcome === 'unknown'
          ? 'It is not known what this call did: the record of its end is lost.'
          : 'The record of this call is lost.'
      const told: EventOf<'tool.finished'> = {
        ...placeOf(event),
        type: 'tool.finished',
        callId: call.id,
        outcome,
        text,
      }
      return apply(before, told)
    },
    interrupted(state, event, apply),
  )
}

/** Closes the open turn; how it ended is lost. */
export function finished(state: SessionState, event: SessionEvent, apply: Apply): SessionState {
  const before = reconciled(state, event, apply)
  if (before.turn === null) return before
  const told: EventOf<'turn.finished'> = {
    ...placeOf(event),
    type: 'turn.finished',
    turnId: before.turn.id,
    reason: 'lost',
    summary: 'The record of how this turn ended is lost.',
  }
  return apply(before, told)
}

export function inPhase(state: SessionState, phase: Turn['phase']): SessionState {
  return state.turn === null ? state : { ...state, turn: { ...state.turn, phase } }
}

export function placeOf({ seq, at }: SessionEvent): { readonly seq: number; readonly at: string } {
  return { seq, at }
}
