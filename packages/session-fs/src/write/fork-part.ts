import { LoaderError, parseEvent, reduce, type SessionState } from '@loader/session-core'
import type { JournalContent } from '../format/journal-content.ts'
import type { Layout } from '../format/layout.ts'
import { blobNamesIn } from '../read/named-blobs.ts'
import { notFound } from '../read/presence.ts'
import { type FoundSegment, type SnapshotFile, placeOf } from '../read/survey.ts'

interface Sealed {
  readonly path: string
  readonly lastSeq: number
  readonly sum: number
}

interface Live {
  readonly seq: number
  readonly json: string
}

/** What a fork takes along, gathered from the beginning of the log to its end. */
export class ForkPart {
  readonly sealed: Sealed[] = []
  readonly rest: Live[] = []
  readonly blobs = new Set<string>()
  readonly #id: string
  readonly #atSeq: number
  #state: SessionState | null
  #acknowledged: number
  #lastSealedSeq = 0

  /** A saved state from before the point spares folding what lies before it. */
  constructor(id: string, snapshot: SnapshotFile, atSeq = Number.POSITIVE_INFINITY) {
    const saved = snapshot.kind === 'good' ? snapshot.state : null
    this.#id = id
    this.#atSeq = atSeq
    this.#state = saved !== null && saved.seq <= atSeq ? saved : null
    this.#acknowledged = saved?.seq ?? 0
    this.#name(JSON.stringify(this.#state))
  }

  get state(): SessionState {
    return this.#state as SessionState
  }

  takeSegment(found: FoundSegment): void {
    if (this.#isBehind(found)) return
    if (found.kind !== 'intact' || found.number !== this.sealed.length + 1)
      throw this.#damaged(`segment ${found.number}`)
    const { firstSeq, lastSeq, sum, events } = found.segment
    this.#acknowledged = Math.max(this.#acknowledged, lastSeq)
    this.#lastSealedSeq = lastSeq
    const isWhole = lastSeq <= this.#atSeq
    if (isWhole) this.sealed.push({ path: found.path, lastSeq, sum })
    for (const [index, json] of events.entries()) this.#take(firstSeq + index, json, isWhole ? 'sealed' : 'rest')
  }

  takeJournal({ records, shownDurable, isForeign }: JournalContent): void {
    if (isForeign && (this.#state?.seq ?? 0) < this.#atSeq) throw this.#damaged('the journal of this session')
    for (const { seq, durable, json } of records) {
      this.#acknowledged = Math.max(this.#acknowledged, durable, shownDurable)
      if (seq > this.#lastSealedSeq) this.#take(seq, json, 'rest')
    }
  }

  requireWhole({ directory }: Layout): void {
    const seq = this.#state?.seq ?? 0
    if (seq < Math.min(this.#acknowledged, this.#atSeq)) throw this.#damaged(`event ${seq + 1}`)
    if (seq === 0) throw notFound(this.#id, directory)
    if (seq === this.#atSeq || this.#atSeq === Number.POSITIVE_INFINITY) return
    throw new LoaderError(
      'impossible_event',
      `Session ${this.#id} cannot be forked at event ${this.#atSeq}: its events end at ${seq}. Choose one of those.`,
    )
  }

  #take(seq: number, json: string, kind: 'sealed' | 'rest'): void {
    if (seq > this.#atSeq) return
    const next = (this.#state?.seq ?? 0) + 1
    // Behind a gap stands what was never acknowledged.
    if (seq > next) return
    if (seq === next) this.#state = reduce(this.#state, parseEvent(JSON.parse(json)))
    if (kind === 'rest') this.rest.push({ seq, json })
    this.#name(json)
  }

  #name(json: string): void {
    for (const name of blobNamesIn(json)) this.blobs.add(name)
  }

  #isBehind(found: FoundSegment): boolean {
    const place = found.kind === 'foreign' ? undefined : placeOf(found)
    return place !== undefined && place.firstSeq > this.#atSeq
  }

  #damaged(what: string): LoaderError {
    const before = this.#state === null ? '' : `, or fork it at event ${this.#state.seq} or before`
    return new LoaderError(
      'session_damaged',
      `Session ${this.#id} cannot be forked: ${what} cannot be read. Salvage a copy and fork that${before}.`,
    )
  }
}
