import type { SessionEvent } from '../events/event.ts'
import type { SessionState } from '../state/state.ts'
import { LoaderError } from '../words/errors.ts'
import type { Message } from '../words/message.ts'
import { type Apply, finished, inPhase, interrupted, reconciled } from './closings.ts'
import {
  lostInput,
  withAnswer,
  withCall,
  withFailedAttempt,
  withRequest,
  withRunningCheck,
  withStart,
  withTurn,
  withTurnNamed,
} from './stand-ins.ts'

/**
 * Applies an event that follows a gap. What it refers to may be lost: then what was open is closed as unknown, or a
 * stand-in with a telling id replaces what is missing. If neither makes the event fit, it changes nothing and is
 * counted.
 *
 * Invariants:
 * 1. An event that fits is applied in the normal way.
 * 2. Recorded facts are never changed or duplicated; the only text of a stand-in is that something is lost.
 * 3. The session can continue from the resulting state: every call has its one result, or is open.
 */
export function applyAfterGap(state: SessionState, event: SessionEvent, apply: Apply): SessionState {
  for (const attempt of attempts(state, event, apply)) {
    const after = attempt()
    if (after !== undefined) return after
  }
  const gaps = state.gaps as NonNullable<SessionState['gaps']>
  return { ...state, gaps: { ...gaps, passed: gaps.passed + 1 } }
}

type Attempt = () => SessionState | undefined

function* attempts(state: SessionState, event: SessionEvent, apply: Apply): Generator<Attempt> {
  const on =
    (make: () => SessionState, changed: SessionEvent = event) =>
    () =>
      unlessImpossible(() => apply(make(), changed))
  yield on(() => state)
  for (const made of supplied(state, event, apply)) yield on(made)
  for (const changed of without(state, event)) yield on(() => state, changed)
  const closings = [interrupted, reconciled, finished]
  for (const close of closings) {
    const make = () => close(state, event, apply)
    yield on(make)
    yield on(() => inPhase(make(), 'assistant'))
    for (const made of supplied(state, event, apply)) yield on(() => made(make()))
    for (const changed of without(state, event)) yield on(make, changed)
  }
}

function unlessImpossible<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (LoaderError.is(error, 'impossible_event')) return undefined
    throw error
  }
}

type Make = (from?: SessionState) => SessionState

/** States with stand-ins for what the event needs and what was lost. */
function* supplied(state: SessionState, event: SessionEvent, apply: Apply): Generator<Make> {
  yield (from = state) => withTurn(from, event)
  switch (event.type) {
    case 'turn.started':
    case 'input.taken':
      yield (from = state) => ({ ...from, queue: [...from.queue, lostInput(event)] })
      return
    case 'turn.finished':
    case 'verification.started':
    case 'statement.made':
    case 'stop.requested':
      yield (from = state) => withTurnNamed(from, event, apply)
      return
    case 'model.asked':
      yield (from = state) => withFailedAttempt(withTurn(from, event), event)
      return
    case 'answer.progressed':
    case 'model.answered':
    case 'model.failed':
    case 'model.interrupted':
      yield (from = state) => withRequest(from, event, apply)
      return
    case 'calls.recovered':
      yield (from = state) => withAnswer(withTurn(from, event), event)
      return
    case 'call.examined':
    case 'permission.decided':
    case 'tool.started':
    case 'tool.finished':
      yield (from = state) => withStart(from, event)
      yield (from = state) => withStart(withCall(from, event, apply), event)
      return
    case 'check.started':
      yield (from = state) => ({ ...from, runningCheck: null })
      return
    case 'check.finished':
      yield (from = state) => withRunningCheck(from, event)
      return
    default:
      return
  }
}

/** The event without references to what was lost. */
function* without(state: SessionState, event: SessionEvent): Generator<SessionEvent> {
  const at = state.gaps?.at ?? event.at
  switch (event.type) {
    case 'turn.finished': {
      const { responseId: _lost, ...rest } = event
      yield rest
      return
    }
    case 'workflow.decided': {
      const { withdraws: _lost, ...rest } = event
      yield rest
      return
    }
    // Messages recorded before the gap come before the lost message, later ones after it.
    case 'context.compacted':
      yield { ...event, firstKept: state.messages.filter((message) => message.at > at).at(0)?.id ?? null }
      yield { ...event, firstKept: null }
      return
    case 'session.rewound':
      yield {
        ...event,
        through: state.messages.filter((message) => message.at <= at && isAnswered(message)).at(-1)?.id ?? null,
      }
      yield { ...event, through: null }
      return
    default:
      return
  }
}

function isAnswered({ content }: Message): boolean {
  return content.every((part) => part.type !== 'call')
}
