import { isSessionEvent, type EventOf, type EventType, type SessionEvent, type StoredEvent } from '../events/event.ts'
import type { SessionState } from '../state/state.ts'
import { LoaderError } from '../words/errors.ts'
import { applyAfterGap } from './after-gap.ts'
import { backgroundReducers } from './background.ts'
import { callReducers } from './calls.ts'
import { childReducers } from './children.ts'
import { hookApartReducers } from './hooks-apart.ts'
import { gapReducers, stateAfterLostBeginning, withGapTold } from './gap.ts'
import { modelReducers } from './model.ts'
import type { Changes, Reducers } from './reducer.ts'
import { openState, sessionReducers } from './session.ts'
import { turnReducers } from './turn.ts'
import { usedAfter } from './used.ts'
import { workflowReducers } from './workflow.ts'

const reducers: Reducers<EventType> = /* @__PURE__ */ (() => ({
  ...sessionReducers,
  ...turnReducers,
  ...modelReducers,
  ...callReducers,
  ...hookApartReducers,
  ...backgroundReducers,
  ...childReducers,
  ...workflowReducers,
  ...gapReducers,
}))()

/**
 * The state after the event. The only place where a state changes.
 *
 * Invariants:
 * 1. Total over valid sequences: any other event is refused with an error, and the state stays as it was.
 * 2. Pure and cheap: the earlier state stays unchanged, and nothing that grows with the session is copied per event.
 * 3. In the message window every call has its one result, except the unanswered calls of the open turn.
 * 4. After lost events nothing is refused until a writer that knows of them claims the session: see `after-gap.ts`.
 */
export function reduce(state: SessionState | null, event: StoredEvent): SessionState {
  requireNextSeq(state, event)
  if (state === null) {
    if (isSessionEvent(event) && event.type === 'session.opened') return openState(event)
    if (isSessionEvent(event) && event.type === 'event.lost') return stateAfterLostBeginning(event)
    throw new LoaderError(
      'impossible_event',
      `A session begins with session.opened, not with ${event.type}. The beginning of the history is missing.`,
    )
  }
  const before = reshaping.has(event.type) ? state : withGapTold(state, event.at)
  const after = isSessionEvent(event) ? applied(before, event) : { ...before, ...foreignChanges(before, event) }
  // A claim is not work on the session: it does not move the session in lists.
  const updatedAt = event.type === 'session.claimed' ? state.updatedAt : event.at
  const used = usedAfter(after.used, event)
  return { ...after, ...(used !== undefined && { used }), seq: event.seq, updatedAt }
}

/** No message may be added directly before these events: they refer to the last message, or remove messages. */
const reshaping: ReadonlySet<string> = new Set(['calls.recovered', 'session.rewound', 'context.compacted'])

function applied(state: SessionState, event: SessionEvent): SessionState {
  return state.gaps?.open === true ? applyAfterGap(state, event, apply) : apply(state, event)
}

function apply(state: SessionState, event: SessionEvent): SessionState {
  return { ...state, ...changesOf(state, event) }
}

/** The state after all the events, starting from no state or from a given one. */
export function fold(events: Iterable<StoredEvent>, from: SessionState): SessionState
export function fold(events: Iterable<StoredEvent>, from?: SessionState | null): SessionState | null
export function fold(events: Iterable<StoredEvent>, from: SessionState | null = null): SessionState | null {
  let state = from
  for (const event of events) state = reduce(state, event)
  return state
}

function changesOf<Type extends EventType>(state: SessionState, event: EventOf<Type>): Changes {
  const reducer: (state: SessionState, event: EventOf<Type>) => Changes = reducers[event.type as Type]
  return reducer(state, event)
}

function foreignChanges({ foreign }: SessionState, event: StoredEvent): Changes {
  const critical = 'critical' in event && event.critical === true ? { type: event.type, seq: event.seq } : null
  return { foreign: { count: foreign.count + 1, critical: foreign.critical ?? critical } }
}

function requireNextSeq(state: SessionState | null, event: StoredEvent): void {
  const expected = (state?.seq ?? 0) + 1
  if (event.seq === expected) return
  throw new LoaderError(
    'impossible_event',
    `${event.type} has seq ${event.seq}, but seq ${expected} comes next after seq ${expected - 1}. ` +
      `${event.seq < expected ? 'It was recorded before' : 'Events in between are missing'}; read the session again.`,
  )
}
