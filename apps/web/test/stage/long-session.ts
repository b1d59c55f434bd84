import { parseEvent, type StoredEvent } from '@loader/session-core'
import { recordedEvents } from './exported-page.ts'

/** Ids as Loader makes them, such as `call_1m7t1z4htpxnf3rw9q3z`. */
const ids = /\b([a-z]+_[0-9a-z]{12})[0-9a-z]{8}\b/g
const pause = 60_000

/**
 * A session of at least so many events: the recorded one again and again, each time with other ids, later times, and
 * the claims that follow.
 */
export function longSession(length: number): StoredEvent[] {
  const recorded = recordedEvents('invoices')
  const [opened, ...rest] = recorded
  if (opened === undefined) throw new Error('The recorded session is empty.')
  const first = Date.parse(opened.at)
  const last = Date.parse(recorded.at(-1)?.at ?? opened.at)
  const claims = rest.filter(({ type }) => type === 'session.claimed').length
  const events = [opened]
  for (let round = 0; events.length < length; round += 1) {
    const offset = round * rest.length
    const later = round * (last - first + pause)
    for (const event of rest) {
      const text = JSON.stringify(event)
        .replace(ids, (_id, start: string) => `${start}${String(round).padStart(8, '0')}`)
        .replace(/\bgoal-(\d+)\b/g, (_goal, seq: string) => `goal-${Number(seq) + offset}`)
      const value = JSON.parse(text) as StoredEvent & { epoch?: number }
      const at = new Date(Date.parse(event.at) + later).toISOString()
      const epoch = value.epoch === undefined ? {} : { epoch: value.epoch + round * claims }
      events.push(parseEvent({ ...value, ...epoch, seq: event.seq + offset, at }))
    }
  }
  return events
}
