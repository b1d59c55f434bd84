import {
  type CostTotals,
  type EventOf,
  type History,
  isSessionEvent,
  reduce,
  type SessionState,
  type Usage,
} from '@loader/session-core'

/** One request to a model: what it was for, and what it used. */
export interface RequestReading {
  readonly id: string
  /** The event that asked. */
  readonly seq: number
  readonly at: string
  /** Number of the turn, counted from 1; 0 outside of turns. */
  readonly turn: number
  readonly purpose: string
  readonly model: string | null
  readonly attempt: number
  /** Why the model stopped, or why there was no answer; null while it is under way. */
  readonly outcome: string | null
  readonly endedAt: string | null
  /** What the server reported; null where it did not. */
  readonly usage: Usage | null
  /** Absent where nothing is known. */
  readonly cost?: CostTotals
}

type Open<Type> = { -readonly [Key in keyof Type]: Type[Key] }

/** Every request of a session, in order. */
export function requestsReading(history: History): RequestReading[] {
  const requests: Open<RequestReading>[] = []
  let state: SessionState | null = null
  let turns = 0
  for (const event of history) {
    const before: SessionState | null = state
    state = reduce(state, event)
    if (!isSessionEvent(event)) continue
    if (event.type === 'session.forked') requests.length = 0
    if (event.type === 'turn.started') turns += 1
    if (event.type === 'model.asked') requests.push(askedOf(event, state.turn === null ? 0 : turns))
    if (event.type !== 'model.answered' && event.type !== 'model.failed' && event.type !== 'model.interrupted') continue
    const request = requests.findLast(({ id }) => id === event.requestId)
    if (request === undefined) continue
    request.outcome = outcomeOf(event)
    request.endedAt = event.at
    request.usage = event.usage ?? null
    if (event.type === 'model.answered' && event.model !== undefined) request.model = event.model
    const cost = costBetween(before, state)
    if (cost !== undefined) request.cost = cost
  }
  return requests
}

function askedOf(event: EventOf<'model.asked'>, turn: number): Open<RequestReading> {
  const { requestId: id, seq, at, purpose, model = null, attempt } = event
  return { id, seq, at, turn, purpose, model, attempt, outcome: null, endedAt: null, usage: null }
}

function outcomeOf(event: EventOf<'model.answered' | 'model.failed' | 'model.interrupted'>): string {
  if (event.type === 'model.answered') return event.finishReason
  return event.type === 'model.failed' ? event.error.kind : 'interrupted'
}

/** What the reducer has added to the costs with this event. */
function costBetween(before: SessionState | null, after: SessionState): CostTotals | undefined {
  const [then, now] = [before?.usage.cost, after.usage.cost]
  if (now === undefined || now === then) return undefined
  const usd = Math.round((now.usd - (then?.usd ?? 0)) * 1e9) / 1e9
  const known = now.known - (then?.known ?? 0)
  const local = (now.local ?? 0) - (then?.local ?? 0)
  return { usd, known, ...(local > 0 && { local }) }
}
