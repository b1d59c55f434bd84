import {
  type EventOf,
  isSessionEvent,
  LoaderError,
  parseEvent,
  reduce,
  type SeqRange,
  type SessionState,
  type StoredEvent,
} from '@loader/session-core'
import { blobNamesIn } from '../read/named-blobs.ts'
import { capitalized, describeLost } from '../format/seq-ranges.ts'
import type { Report } from './report.ts'

/** Goes through the events of a session in order, checks that each can follow, and notes the seqs that are missing. */
export class EventWalk {
  readonly missing: SeqRange[] = []
  /** The blobs that are named, each by the first event that does. */
  readonly blobs = new Map<string, number>()
  first = 0
  last = 0
  /** The fold of all events up to the one at which the snapshot was saved. */
  atSnapshot: SessionState | undefined
  readonly #report: Report
  readonly #saved: SessionState | undefined
  #state: SessionState | null | 'unknown' = null

  constructor(report: Report, saved: SessionState | undefined) {
    this.#report = report
    this.#saved = saved
  }

  /** The next event. One that was there already is passed over. */
  take(seq: number, json: string, file: string, offset?: number): void {
    if (seq <= this.last) return
    if (seq > this.last + 1) this.miss(seq - 1, file, offset)
    this.first ||= seq
    this.last = seq
    for (const blob of blobNamesIn(json)) if (!this.blobs.has(blob)) this.blobs.set(blob, seq)
    this.#fold(seq, json, file, offset)
    if (seq === this.#saved?.seq && typeof this.#state === 'object' && this.#state) this.atSnapshot = this.#state
  }

  /** Everything from here to there cannot be read. */
  miss(last: number, file: string, offset?: number): void {
    const range = { first: this.last + 1, last }
    this.missing.push(range)
    this.#report.damage(file, 'missing_events', `${capitalized(describeLost([range]))} cannot be read.`, offset)
    this.#state = 'unknown'
    this.last = last
  }

  #fold(seq: number, json: string, file: string, offset: number | undefined): void {
    // Behind a gap the saved state knows what has happened.
    if (this.#state === 'unknown' && this.#saved?.seq === seq - 1) this.#state = this.#saved
    try {
      const event = parseEvent(JSON.parse(json))
      if (isFirstLost(event)) {
        const lost = capitalized(describeLost([event]))
        this.#report.note(
          file,
          'lost_events',
          `${lost} cannot be read since earlier damage, and the session says so.`,
          offset,
        )
      }
      if (this.#state !== 'unknown') this.#state = reduce(this.#state, event)
    } catch (error) {
      if (!LoaderError.is(error, 'invalid_event') && !LoaderError.is(error, 'impossible_event')) throw error
      this.#report.damage(file, error.code, `Event ${seq} is as it was written, but wrong: ${error.message}`, offset)
      this.#state = 'unknown'
    }
  }
}

function isFirstLost(event: StoredEvent): event is EventOf<'event.lost'> {
  return isSessionEvent(event) && event.type === 'event.lost' && event.seq === event.first
}
