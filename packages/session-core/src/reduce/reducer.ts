import type { EventOf, EventType, StoredEvent } from '../events/event.ts'
import type { SessionState } from '../state/state.ts'
import { type Turn, unansweredCalls } from '../state/turn.ts'
import { LoaderError } from '../words/errors.ts'
import { pairingFault, type Message } from '../words/message.ts'
import { transition, type Phase, type TransitionCause } from '../words/phase.ts'

/** The changed fields. All others stay. */
export type Changes = Partial<SessionState>

/**
 * The reducer for each of these event types. A reducer throws before it returns, so a refused event changes nothing.
 */
export type Reducers<Type extends EventType> = {
  readonly [Key in Type]: (state: SessionState, event: EventOf<Key>) => Changes
}

export function impossible(event: StoredEvent, why: string, cure: string): LoaderError {
  return new LoaderError('impossible_event', `${event.type} (seq ${event.seq}) cannot be recorded: ${why}. ${cure}`)
}

export function openTurn(state: SessionState, event: StoredEvent, turnId?: string): Turn {
  const { turn } = state
  if (turn === null) throw impossible(event, 'no turn is open', 'Record turn.started first.')
  if (turnId !== undefined && turnId !== turn.id) {
    throw impossible(event, `it belongs to turn ${turnId}, but turn ${turn.id} is open`, `Use turnId ${turn.id}.`)
  }
  return turn
}

export function requireRest(state: SessionState, event: StoredEvent): void {
  if (state.turn === null) return
  throw impossible(event, `turn ${state.turn.id} is open`, 'Record turn.finished first.')
}

/** No event may come between a call and its result: providers reject such a history every time it is sent. */
export function requireAnsweredCalls(state: SessionState, event: StoredEvent): void {
  const [open] = unansweredCalls(state.turn)
  if (open === undefined) return
  throw impossible(
    event,
    `call ${open.call.id} (${open.call.name}) has no result yet`,
    'Record tool.finished for it first, with outcome interrupted or unknown if it was cut off.',
  )
}

export function requirePairs(event: StoredEvent, messages: Iterable<Message>, turn: Turn | null): void {
  const fault = pairingFault(messages, new Set(unansweredCalls(turn).map(({ call }) => call.id)))
  if (fault === undefined) return
  throw impossible(event, fault, 'Keep each call together with its result.')
}

export function requireOwnIds(event: StoredEvent, things: readonly { readonly id: string }[]): void {
  const ids = new Set<string>()
  for (const { id } of things) {
    if (ids.has(id)) throw impossible(event, `the id ${id} stands for two things in it`, 'Give each an id of its own.')
    ids.add(id)
  }
}

/** While a request is open, no message may be added that the model has not seen before it answers. */
export function requireNoRequestUnderWay(state: SessionState, event: StoredEvent): void {
  if (state.turn?.request?.status !== 'asked') return
  throw impossible(
    event,
    `request ${state.turn.request.id} has no answer yet`,
    'Record model.answered, model.failed or model.interrupted first.',
  )
}

/** Moves the turn to a phase, and records the transition. A forbidden transition is refused. */
export function movePhase(turn: Turn, event: StoredEvent, to: Phase, cause: TransitionCause): Changes {
  try {
    const step = transition(turn.phase, to, cause)
    return step === undefined ? { turn } : { turn: { ...turn, phase: to }, lastTransition: step }
  } catch (error) {
    if (!LoaderError.is(error, 'impossible_event')) throw error
    throw new LoaderError('impossible_event', `${event.type} (seq ${event.seq}) cannot be recorded: ${error.message}`, {
      cause: error,
    })
  }
}
