import { LoaderError, parseEvent, type ReadOptions, type StoredEvent } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import { ancestorsOf, examineShared } from '../format/ancestors.ts'
import { vouchedBy } from '../format/examine-segment.ts'
import { seqOf } from '../format/seq-of.ts'
import { damagedBytesOf } from '../format/damaged-segment.ts'
import { coveredBy } from '../format/snapshot.ts'
import { lostEvents, timeOf, unknownTime } from '../format/lost-event.ts'
import { damagedBytes, isCutOff, type JournalContent } from '../format/journal-content.ts'
import type { Layout } from '../format/layout.ts'
import { firstSeed, type Segment } from '../format/segment.ts'
import { lookAt } from './look-at.ts'
import { notFound } from './presence.ts'
import { nothingLeft, onlyForeign, tellsOfEvents } from './recover.ts'
import { notedIn, Seeds } from './seeds.ts'
import { listedNumbers, namedNumbers, numberBefore, originsOf } from './session-files.ts'

/** How often a reader looks again while a writer seals, and it gets no further. */
export const attempts = 20

/**
 * The events of a session from a seq on. Locks nothing, writes nothing. One segment at a time is held.
 *
 * A writer that seals moves events from the journal to a segment. A reader, which reads the segments first and the journal
 * second, can miss events that move in between. It sees that by the gap, and looks again from where it was. A gap that
 * looks the same twice is damage, and is refused there or marked.
 */
export function* readEvents(
  disk: Disk,
  layout: Layout,
  id: string,
  { fromSeq, gaps }: Required<ReadOptions>,
): Generator<StoredEvent> {
  let next = Math.max(1, fromSeq)
  let found = false
  let seen = ''
  for (let attempt = 1, isFirst = true; ; attempt += 1, isFirst = false) {
    // What lies before the first event is not looked at, unless something is amiss.
    const begins = isFirst && gaps === 'refuse' ? 'behind what is not wanted' : 'at the first segment'
    const pass = new Pass(disk, layout, id, { next, gaps, before: seen, begins })
    yield* pass.read()
    found ||= pass.found
    if (pass.isComplete) break
    // What looks the same twice is not on its way from here to there.
    if (attempt >= attempts || (pass.next === next && pass.seen === seen)) {
      throw found ? gap(id, pass.next) : nothingFound(disk, layout, id)
    }
    // However long a writer goes on, a reader that gets further meets no damage.
    if (pass.next > next) attempt = 0
    next = pass.next
    seen = pass.seen
  }
  if (!found) throw nothingFound(disk, layout, id)
}

function nothingFound(disk: Disk, layout: Layout, id: string): LoaderError {
  const journal = lookAt(disk, layout.journal)
  if (journal.kind === 'bytes' && new Seeds(id, undefined).read(journal.bytes).isForeign) return onlyForeign(id)
  const isLeft = journal.kind === 'bytes' && isCutOff(journal.bytes)
  return isLeft ? nothingLeft(id) : notFound(id, layout.directory)
}

interface Look extends Pick<Required<ReadOptions>, 'gaps'> {
  readonly next: number
  readonly before: string
  readonly begins: 'at the first segment' | 'behind what is not wanted'
}

/** One look at all files, from the first segment to the end of the journal. */
class Pass {
  next: number
  found = false
  isComplete = false
  /** What the files were, in short. */
  seen = ''
  readonly #disk: Disk
  readonly #layout: Layout
  readonly #id: string
  readonly #gaps: Required<ReadOptions>['gaps']
  /** What the files were at the look before. */
  readonly #before: string
  readonly #begins: Look['begins']
  #time: string | undefined
  #last: Segment | undefined
  #seeds: Seeds

  constructor(disk: Disk, layout: Layout, id: string, { next, gaps, before, begins }: Look) {
    this.#begins = begins
    this.#disk = disk
    this.#layout = layout
    this.#id = id
    this.#seeds = new Seeds(id, undefined)
    this.next = next
    this.#gaps = gaps
    this.#before = before
  }

  *read(): Generator<StoredEvent> {
    const [disk, layout, id] = [this.#disk, this.#layout, this.#id]
    // Read first: what it covers was durable before anything that is read after it.
    const { seq: covered, chain } = coveredBy(disk.readCache(layout.snapshot), id)
    this.#seeds = new Seeds(id, chain)
    const isQuick = this.#begins === 'behind what is not wanted'
    const numbers = (isQuick ? namedNumbers : listedNumbers)(disk, layout, id)
    this.seen = `${numbers.join(' ')},`
    const skipped = isQuick ? numberBefore(disk, layout, numbers, this.next) : 0
    for (const number of numbers) if (number > skipped && !(yield* this.#sealed(number, numbers))) return
    const file = this.#look(layout.journal)
    const journal = file && this.#seeds.read(file)
    this.seen += ` ${journal?.records.length} ${journal?.isForeign} ${journal?.records.at(-1)?.sum}, ${covered}`
    this.found = covered > 0 || numbers.length > 0 || (journal !== undefined && tellsOfEvents(journal))
    if (!(yield* this.#live(journal, covered))) return
    const { damagedBehind = 0, shownDurable = 0, records = [] } = journal ?? {}
    const written =
      damagedBehind === 0 ? 0 : Math.max(this.#last?.lastSeq ?? 0, records.at(-1)?.seq ?? 0) + damagedBehind
    const known = Math.max(covered, shownDurable, written)
    // A journal with events says itself what it follows; without any, the folder has to.
    const isTold = isQuick && records.length > 0
    if ((isTold ? namedNumbers : listedNumbers)(disk, layout, id).length > numbers.length) return
    if (this.next <= known && this.#marksGaps) yield* this.#lost(known, journal)
    // What its own journal held cannot be known: a gap of any length.
    this.isComplete = this.next > known && (journal?.isForeign !== true || this.#marksGaps)
  }

  /** Where the files are what they were, nothing is on its way, and a gap stays. */
  get #marksGaps(): boolean {
    return this.#gaps === 'mark' && this.#before.startsWith(this.seen)
  }

  /** Where gaps are marked, a file that may not be opened is one. */
  #look(path: string): Uint8Array | undefined {
    if (this.#gaps === 'refuse') return this.#disk.readIfThere(path)
    const file = lookAt(this.#disk, path)
    return file.kind === 'bytes' ? file.bytes : undefined
  }

  *#sealed(number: number, numbers: readonly number[]): Generator<StoredEvent, boolean> {
    const [disk, layout, id] = [this.#disk, this.#layout, this.#id]
    const bytes = this.#look(layout.segment(number))
    const previous = number === 1 ? firstSeed(id) : this.#last?.number === number - 1 ? this.#last.sum : undefined
    const vouches = (sum: number) =>
      vouchedBy(id, disk.readIfThere(layout.segment(number + 1)), disk.readIfThere(layout.journal))(sum)
    const ancestors = ancestorsOf(
      id,
      originsOf(disk, layout, () => numbers),
    )
    const examined = bytes && examineShared(bytes, { id, number, previous, vouches }, ancestors)
    if (bytes !== undefined && examined !== undefined) this.#seeds.add(notedIn(bytes, examined))
    if (examined === undefined || examined.kind === 'foreign') return true
    if (examined.kind !== 'damaged') this.#last = examined.segment
    const events = examined.kind === 'damaged' ? examined.events : examined.segment.events
    const damaged = examined.kind === 'damaged' ? bytes && damagedBytesOf(bytes, events) : undefined
    for (const json of events) if (!(yield* this.#take(seqOf(json), json, damaged))) return false
    return true
  }

  *#live(journal: JournalContent | undefined, covered: number): Generator<StoredEvent, boolean> {
    for (const { seq, json } of journal?.records ?? []) {
      // What stands behind a torn write was acknowledged to no one, unless something later says that it was durable.
      const isTail = this.next > covered && !journal?.records.some(({ durable }) => durable >= this.next)
      if (seq > this.next && isTail) return true
      if (!(yield* this.#take(seq, json, journal))) return false
    }
    return true
  }

  /** The next event. False when events before it are missing and may be on their way from the journal to a segment. */
  *#take(seq: number, json: string, around: JournalContent | number | undefined): Generator<StoredEvent, boolean> {
    if (seq < this.next) {
      this.#time = timeOf(json)
      return true
    }
    if (seq > this.next) {
      this.found = true
      if (!this.#marksGaps) return false
      this.#time ??= timeOf(json)
      yield* this.#lost(seq - 1, around)
    }
    this.#time = timeOf(json)
    this.next = seq + 1
    yield parseEvent(JSON.parse(json))
    return true
  }

  *#lost(last: number, around: JournalContent | number | undefined): Generator<StoredEvent> {
    const range = { first: this.next, last }
    const bytes = typeof around === 'object' ? damagedBytes(around, range) : around
    this.next = last + 1
    for (const json of lostEvents(this.#id, { ...range, bytes }, this.#time ?? unknownTime))
      yield parseEvent(JSON.parse(json))
  }
}

export function gap(id: string, seq: number): LoaderError {
  return new LoaderError(
    'session_damaged',
    `Event ${seq} of session ${id} cannot be read. Events behind it may be intact: \`loader show\` shows them, \`loader ` +
      'verify` says what is damaged, and `loader doctor --repair` makes a copy that goes on.',
  )
}
