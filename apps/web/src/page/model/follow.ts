import { batch } from '@preact/signals'
import { type SessionRow, type StoredEvent } from '@loader/session-core'
import { signal, type Signal } from '@preact/signals'
import type { ListedSession } from '@loader/readings'
import type { Source } from '../connection/source.ts'
import { OpenSession } from './session.ts'

/** A session that the page follows. */
export interface Followed {
  readonly session: OpenSession
  /** What the list says of it, which tells more than its events: whether a process holds it. */
  readonly row: Signal<ListedSession | SessionRow | null>
  /** Why there is nothing to follow. */
  readonly failure: Signal<string | null>
  readonly stop: () => void
}

/** Texts up to this many bytes are fetched without being asked for, the latest first. */
const smallText = 512 * 1024
const mostTexts = 200
/** How often the row of a session with an open turn is read: no event tells whether a process still works on it. */
const rowEveryMs = 10_000

/** Follows a session from its first event on. */
export function followSession(source: Source, id: string): Followed {
  const session = new OpenSession(id)
  const row = signal<ListedSession | SessionRow | null>(null)
  const failure = signal<string | null>(null)
  const wanted = new Map<string, number>()
  let isStopped = false
  const isOpen = () => session.state.peek()?.turn != null && document.visibilityState === 'visible'
  const readRow = () =>
    source.session(id).then(
      (listed) => void (isStopped || (row.value = listed)),
      () => undefined,
    )
  const fetchTexts = async () => {
    const names = [...wanted].filter(([, bytes]) => bytes <= smallText).map(([name]) => name)
    wanted.clear()
    for (const name of names.slice(-mostTexts).toReversed()) {
      if (isStopped) return
      const text = await source.blob(id, name).catch(() => undefined)
      if (text !== undefined) session.addText(name, text)
    }
  }
  const stopFollowing = source.follow(id, 0, {
    events(events) {
      for (const event of events) noteTexts(event, wanted)
      session.add(events)
      if (source.kind === 'export') {
        session.isWhole.value = true
        session.flush()
      }
      if (session.isWhole.value && wanted.size > 0) void fetchTexts()
    },
    partial: (events) => session.addPartial(events),
    standing: (standing) => (session.standing.value = standing),
    connection(connection) {
      batch(() => {
        session.connection.value = connection
        if (connection.isLive && !session.isWhole.value) {
          session.isWhole.value = true
          session.flush()
        }
        failure.value = connection.phase.kind === 'ended' ? connection.phase.message : null
      })
      if (connection.isLive && wanted.size > 0) void fetchTexts()
    },
  })
  void readRow()
  const reading = source.kind === 'server' ? setInterval(() => isOpen() && void readRow(), rowEveryMs) : undefined
  return {
    session,
    row,
    failure,
    stop() {
      isStopped = true
      clearInterval(reading)
      stopFollowing()
      session.close()
    },
  }
}

/** Notes the long texts that an event refers to, wherever in it they stand. */
function noteTexts(value: unknown, wanted: Map<string, number>): void {
  if (value === null || typeof value !== 'object') return
  if ('blob' in value && 'bytes' in value && typeof value.blob === 'string' && typeof value.bytes === 'number') {
    wanted.set(value.blob, value.bytes)
    return
  }
  for (const part of Object.values(value as Record<string, unknown> | StoredEvent)) noteTexts(part, wanted)
}
