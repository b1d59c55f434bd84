import {
  callsOf,
  type EventOf,
  type EventType,
  fold,
  isSessionEvent,
  type Message,
  type ModelRequest,
  type History,
  type SessionState,
} from '@loader/session-core'
import { type HistoryOptions, messageFaults } from '@loader/test-harness'

export interface Whole {
  readonly history: History
  readonly requests?: readonly ModelRequest[]
  /** What the agent takes to be the state, if that is to be compared. */
  readonly state?: SessionState | null
}

/**
 * What is wrong with a session that is at rest. Whatever has happened to it: each turn ended once, each request was
 * answered once, each call has one result, no provider would refuse its history, and memory and disk agree.
 */
export function faultsOf({ history, requests = [], state }: Whole): string[] {
  return [
    ...unevenTurns(history),
    ...unevenRequests(history),
    ...unevenCalls(history),
    ...requests.flatMap(({ messages }, index) => historyFaultsOf(messages, `request ${index + 1}`)),
    // The window keeps what a model wrote; requests say it in a way that providers take.
    ...historyFaultsOf(fold(history)?.messages.toArray() ?? [], 'the window', said),
    ...(state === undefined || JSON.stringify(state) === JSON.stringify(fold(history))
      ? []
      : ['the state is not the fold of what is stored']),
  ]
}

export function eventsOf<Type extends EventType>(history: History, type: Type): EventOf<Type>[] {
  return history.filter((event): event is EventOf<Type> => isSessionEvent(event) && event.type === type)
}

function unevenTurns(history: History): string[] {
  const started = eventsOf(history, 'turn.started').map(({ turnId }) => turnId)
  const finished = eventsOf(history, 'turn.finished').map(({ turnId }) => turnId)
  return started.join() === finished.join() ? [] : [`turns ${started.join()} began, and ${finished.join()} ended`]
}

function unevenRequests(history: History): string[] {
  const faults: string[] = []
  let open: string | undefined
  for (const event of history) {
    if (!isSessionEvent(event)) continue
    if (event.type === 'model.asked') {
      if (open !== undefined) faults.push(`request ${open} has no answer`)
      open = event.requestId
    }
    if (event.type === 'model.answered' || event.type === 'model.failed' || event.type === 'model.interrupted') {
      if (event.requestId !== open) faults.push(`${event.type} of ${event.requestId}, which was not asked`)
      open = undefined
    }
  }
  return open === undefined ? faults : [...faults, `request ${open} has no answer`]
}

function unevenCalls(history: History): string[] {
  const made = [
    ...eventsOf(history, 'model.answered').flatMap(({ content }) => callsOf(content)),
    ...eventsOf(history, 'calls.recovered').flatMap(({ calls }) => calls),
  ].map(({ id }) => id)
  const results = eventsOf(history, 'tool.finished').map(({ callId }) => callId)
  return made
    .filter((id) => results.filter((callId) => callId === id).length !== 1)
    .map((id) => `call ${id} has ${results.filter((callId) => callId === id).length} results`)
}

const said = { argumentsAreJson: 'off', argumentsAreObject: 'off' } as const

function historyFaultsOf(messages: readonly Message[], place: string, rules: HistoryOptions['rules'] = {}): string[] {
  if (messages.length === 0) return []
  const dialects = ['openai', 'anthropic', 'ollama'] as const
  return dialects.flatMap((dialect) =>
    messageFaults(messages, dialect, { rules }).map(
      ({ rule, message }) => `${place}, ${dialect}: ${message} (${rule})`,
    ),
  )
}
