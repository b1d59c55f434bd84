import { isSessionEvent, parseEvent, type StoredEvent, type WatchItem } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import { ancestorsOf, examineShared } from '../format/ancestors.ts'
import { seqOf } from '../format/seq-of.ts'
import { coveredBy } from '../format/snapshot.ts'
import type { JournalContent } from '../format/journal-content.ts'
import type { Layout } from '../format/layout.ts'
import { firstSeed, type Segment, shownSum } from '../format/segment.ts'
import { notFound } from './presence.ts'
import { attempts, gap, readEvents } from './read.ts'
import { notedIn, Seeds } from './seeds.ts'
import { listedNumbers, numberBefore, originsOf } from './session-files.ts'

/** Up to where the newest lock says that events are stored. It is read before the files that it is said of. */
export interface Told {
  readonly epoch: number
  readonly durable: number
}

/**
 * The durable events of a session that another process writes, read on from the last one that was shown.
 *
 * Invariants:
 * 1. An event is shown once what was written after it says that it is durable: a record, a saved state, a segment, the
 *    lock of its writer. So an event that was shown is never taken back.
 * 2. Segments first, journal second, and then whether there is a new segment: events sealed meanwhile are not missed.
 */
export class DurableLog {
  readonly #disk: Disk
  readonly #layout: Layout
  readonly #id: string
  readonly #fromStart: boolean
  readonly #ancestors: () => readonly string[]
  #next: number
  #seen = 0
  /** The event that was shown last, as it was written. */
  #shown = ''
  #number: number
  #last: Segment | undefined
  readonly #seeds: Seeds
  #epoch: number | undefined
  #hasClaims = false

  constructor(disk: Disk, layout: Layout, id: string, fromSeq: number) {
    this.#disk = disk
    this.#layout = layout
    this.#id = id
    this.#fromStart = fromSeq <= 1
    this.#ancestors = ancestorsOf(
      id,
      originsOf(disk, layout, () => listedNumbers(disk, layout, id)),
    )
    this.#seeds = new Seeds(id, undefined)
    this.#next = Math.max(1, fromSeq)
    this.#number = numberBefore(disk, layout, listedNumbers(disk, layout, id), this.#next)
  }

  /** Whatever is durable now and was not read yet. */
  *read(told: Told): Generator<WatchItem> {
    for (let stuck = 0; stuck < attempts; stuck += 1) {
      const before = this.#next
      // Read first: what it covers was durable before anything that is read after it.
      const saved = coveredBy(this.#disk.readCache(this.#layout.snapshot), this.#id).seq
      yield* this.#sealed()
      const file = this.#disk.readIfThere(this.#layout.journal)
      const journal = file && this.#seeds.read(file)
      if (journal?.isForeign === true) this.#requireSealed()
      else if (!this.#disk.exists(this.#layout.segment(this.#number + 1))) {
        const durable = Math.max(saved, this.#last?.lastSeq ?? 0, durableIn(journal, told))
        yield* this.#live(journal, durable)
        if (this.#next > durable) return this.#requireSame(Math.max(durable, journal?.records.at(-1)?.seq ?? 0))
      }
      if (this.#next > before) stuck = -1
    }
    this.#requireStillThere()
    throw gap(this.#id, this.#next)
  }

  /** Asks all files, where those that come next do not fit: they may be those of another history. */
  #requireStillThere(): void {
    const options = { fromSeq: this.#seen, gaps: 'mark' } as const
    const [event] = this.#seen === 0 ? [] : readEvents(this.#disk, this.#layout, this.#id, options)
    if (event !== undefined) this.#requireShown(event.seq, JSON.stringify(event))
  }

  *#sealed(): Generator<WatchItem> {
    for (;;) {
      const number = this.#number + 1
      const bytes = this.#disk.readIfThere(this.#layout.segment(number))
      if (bytes === undefined) return
      const examined = examineShared(
        bytes,
        { id: this.#id, number, previous: this.#sumBefore(number) },
        this.#ancestors,
      )
      if (examined.kind === 'foreign') return
      this.#seeds.add(notedIn(bytes, examined))
      this.#number = number
      if ('segment' in examined) this.#last = examined.segment
      for (const json of 'segment' in examined ? examined.segment.events : examined.events) {
        this.#requireShown(seqOf(json), json)
        if (seqOf(json) === this.#next) yield* this.#show(json, undefined)
      }
    }
  }

  #sumBefore(number: number): number | undefined {
    if (number === 1) return firstSeed(this.#id)
    return this.#last?.number === number - 1 ? this.#last.sum : undefined
  }

  *#live(journal: JournalContent | undefined, durable: number): Generator<WatchItem> {
    for (const { seq, epoch, json } of journal?.records ?? []) {
      if (seq > durable) return
      this.#requireShown(seq, json)
      if (seq === this.#next) yield* this.#show(json, epoch)
    }
  }

  *#show(json: string, writtenIn: number | undefined): Generator<WatchItem> {
    const event = parseEvent(JSON.parse(json))
    const epoch = this.#epochAt(event, writtenIn)
    const isKnown = epoch === undefined || epoch === this.#epoch
    const isFirst = this.#epoch === undefined && (this.#fromStart || !isClaim(event) || epoch === 1)
    this.#epoch = epoch ?? this.#epoch
    this.#seen = event.seq
    this.#shown = json
    this.#next = event.seq + 1
    if (!isKnown && !isFirst && epoch !== undefined) yield { kind: 'writer_changed', epoch }
    yield { kind: 'event', event }
  }

  /** Every claim of a session is an event; only where there are none do the records tell. */
  #epochAt(event: StoredEvent, writtenIn: number | undefined): number | undefined {
    if (isClaim(event)) {
      this.#hasClaims = true
      return event.epoch
    }
    return this.#hasClaims ? undefined : writtenIn
  }

  /** The journal is not the one behind our segments: where these are gone, too, the session is another one. */
  #requireSealed(): void {
    const bytes = this.#last && this.#disk.readIfThere(this.#layout.segment(this.#last.number))
    if (this.#last !== undefined && (bytes === undefined || shownSum(bytes) !== this.#last.sum))
      throw notFound(this.#id, this.#layout.directory)
  }

  /**
   * An older state of the files that was put in their place, and has grown since, is another history behind the same name.
   * That an event was lost since then is told in its place.
   */
  #requireShown(seq: number, json: string): void {
    if (seq !== this.#seen || json === this.#shown || parseEvent(JSON.parse(json)).type === 'event.lost') return
    throw notFound(this.#id, this.#layout.directory)
  }

  /** What was durable is there for ever; where it is not, the session was deleted, and this is another one. */
  #requireSame(last: number): void {
    if (last < this.#seen) throw notFound(this.#id, this.#layout.directory)
  }
}

/** The last event known to be durable. The lock speaks of its own claim and earlier ones, not of later ones. */
function durableIn(journal: JournalContent | undefined, told: Told): number {
  const isTold = (seq: number, epoch: number) => seq <= told.durable && epoch <= told.epoch
  return (journal?.records ?? []).reduce(
    (last, { seq, epoch, durable }) => Math.max(last, isTold(seq, epoch) ? seq : durable),
    0,
  )
}

function isClaim(event: StoredEvent): event is Extract<StoredEvent, { type: 'session.claimed' }> {
  return isSessionEvent(event) && event.type === 'session.claimed'
}
