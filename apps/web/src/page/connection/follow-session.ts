import type { StoredEvent } from '@loader/session-core'
import { type EventStream, paths, type Standing } from '../../protocol.ts'
import type { Happening } from './connection.ts'
import { type Open } from './keep-connected.ts'
import { ask, RequestError } from './login.ts'
import { eventParser, type ServerEvent } from './server-events.ts'

/** Seconds for which a poll waits for something to happen. */
const pollSeconds = 20

/** Where a session is followed to. */
export interface Deliver {
  readonly event: (event: StoredEvent) => void
  /** All words after the last event. They are not durable yet. */
  readonly partial: (events: readonly StoredEvent[]) => void
  /** What can be done with the session, whenever that has changed. */
  readonly standing: (standing: Standing) => void
}

/** Follows the events of a session. */
export function sessionWire(id: string, deliver: Deliver): Open {
  let last: StoredEvent | undefined
  return async ({ after, way }, tell, signal) => {
    const known = last?.seq === after ? { at: last.at } : {}
    const query = { after, ...known, ...(way === 'poll' && { until: 'live', wait: pollSeconds }) }
    let partial: readonly StoredEvent[] = []
    const partly = (events: readonly StoredEvent[]) => {
      if (partial.length === 0 && events.length === 0) return
      partial = events
      deliver.partial(events)
    }
    await eachServerEvent(paths.events(id), query, tell, signal, (one) => {
      if (one.name === 'partial') {
        tell({ kind: 'alive' })
        const { events } = JSON.parse(one.data) as EventStream['partial']
        if (!signal.aborted) partly([...partial, ...events])
        return
      }
      if (one.name === 'standing') {
        tell({ kind: 'alive' })
        if (!signal.aborted) deliver.standing(JSON.parse(one.data) as Standing)
        return
      }
      if (one.name !== 'message') return tell(happeningOf(one))
      const event = JSON.parse(one.data) as StoredEvent
      tell({ kind: 'event', seq: event.seq }, () => {
        last = event
        deliver.event(event)
        partly(partial.filter(({ seq }) => seq > event.seq))
      })
    }).finally(() => partly([]))
  }
}

function happeningOf({ name, data }: ServerEvent): Happening {
  const value = JSON.parse(data) as EventStream[keyof EventStream]
  switch (name) {
    case 'opened':
      return { kind: 'opened', ...(value as EventStream['opened']) }
    case 'live':
      return { kind: 'live' }
    case 'trouble':
      return { kind: 'refused', ...(value as EventStream['trouble']) }
    default:
      return { kind: 'alive' }
  }
}

/** Reads an answer of server-sent events to its end. A refusal is passed to `tell`; a broken connection throws. */
export async function eachServerEvent(
  path: string,
  query: object,
  tell: (happening: Happening) => void,
  signal: AbortSignal,
  each: (event: ServerEvent) => void,
): Promise<void> {
  const body = await bodyOf(path, query, tell, signal)
  if (body === undefined) return
  const parse = eventParser()
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || signal.aborted) return
      for (const event of parse(value)) each(event)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

async function bodyOf(path: string, query: object, tell: (happening: Happening) => void, signal: AbortSignal) {
  try {
    return (await ask(path, query, signal)).body ?? undefined
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    tell({ kind: 'refused', code: error.code, message: error.message })
    return undefined
  }
}
