import { LoaderError, parseEvent, type ReadOptions, type StoredEvent } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import { ancestorsOf, examineShared } from '../format/ancestors.ts'
import { seqOf, vouchedBy } from '../format/examine-segment.ts'
import { damagedBytesOf } from '../format/damaged-segment.ts'
import { headSeq } from '../format/head.ts'
import { lostEvents, timeOf, unknownTime } from '../format/lost-event.ts'
import { damagedBytes, isCutOff, type JournalContent, parseJournal } from '../format/journal-content.ts'
import type { Layout } from '../format/layout.ts'
import { firstSeed, type Segment, shownSum } from '../format/segment.ts'
import { lookAt } from './look-at.ts'
import { notFound } from './presence.ts'
import { nothingLeft, tellsOfEvents } from './recover.ts'
import { listedNumbers, originsOf } from './session-files.ts'

/** How often a reader looks again while a writer seals. */
export const attempts = 20

/**
 * The events of a session from a seq on. Locks nothing, writes nothing. One segment at a time is held.
 *
 * A writer that seals moves events from the journal to a segment. Whoever reads the segments first and the journal second
 * can miss what moves in between, and sees it by the gap: then it looks again, from where it was. What looks the same
 * twice is damaged, and is refused there or marked.
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
  for (let attempt = 1; ; attempt += 1) {
    const pass = new Pass(disk, layout, id, { next, gaps, before: seen })
    yield* pass.read()
    found ||= pass.found
    if (pass.isComplete) break
    // What looks the same twice is not on its way from here to there.
    if (attempt >= attempts || (pass.next === next && pass.seen === seen)) {
      throw found ? gap(id, pass.next) : nothingFound(disk, layout, id)
    }
    next = pass.next
    seen = pass.seen
  }
  if (!found) throw nothingFound(disk, layout, id)
}

function nothingFound(disk: Disk, layout: Layout, id: string): LoaderError {
  const journal = lookAt(disk, layout.journal)
  const isLeft = journal.kind === 'bytes' && isCutOff(journal.bytes)
  return isLeft ? nothingLeft(id) : notFound(id, layout.directory)
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
  #time: string | undefined
  #last: Segment | undefined
  #shown: number | undefined

  constructor(
    disk: Disk,
    layout: Layout,
    id: string,
    { next, gaps, before }: Pick<Required<ReadOptions>, 'gaps'> & { readonly next: number; readonly before: string },
  ) {
    this.#disk = disk
    this.#layout = layout
    this.#id = id
    this.next = next
    this.#gaps = gaps
    this.#before = before
  }

  *read(): Generator<StoredEvent> {
    const [disk, layout, id] = [this.#disk, this.#layout, this.#id]
    // Read first: what it covers was durable before anything that is read after it.
    const covered = headSeq(disk.readCache(layout.head), id)
    const numbers = listedNumbers(disk, layout, id)
    this.seen = `${numbers.join(' ')},`
    for (const number of numbers) if (!(yield* this.#sealed(number, numbers))) return
    const journal = this.#readJournal()
    this.seen += ` ${journal?.records.length} ${journal?.records.at(-1)?.sum}, ${covered}`
    this.found = covered > 0 || numbers.length > 0 || (journal !== undefined && tellsOfEvents(journal))
    if (!(yield* this.#live(journal, covered))) return
    const { damagedBehind = 0, shownDurable = 0, records = [] } = journal ?? {}
    const written =
      damagedBehind === 0 ? 0 : Math.max(this.#last?.lastSeq ?? 0, records.at(-1)?.seq ?? 0) + damagedBehind
    const known = Math.max(covered, shownDurable, written)
    if (listedNumbers(disk, layout, id).length > numbers.length) return
    if (this.next <= known && this.#marksGaps) yield* this.#lost(known, journal)
    this.isComplete = this.next > known
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
      vouchedBy(disk.readIfThere(layout.segment(number + 1)), disk.readIfThere(layout.journal))(sum)
    const ancestors = ancestorsOf(
      id,
      originsOf(disk, layout, () => numbers),
    )
    const examined = bytes && examineShared(bytes, { id, number, previous, vouches }, ancestors)
    if (examined === undefined || examined.kind === 'foreign') return true
    if (examined.kind !== 'damaged') this.#last = examined.segment
    // What follows a damaged segment continues from the checksum that it still shows.
    this.#shown = examined.kind === 'damaged' ? shownSum(bytes as Uint8Array) : undefined
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

  #readJournal(): JournalContent | undefined {
    const bytes = this.#look(this.#layout.journal)
    const journal = readJournal(bytes, this.#id, this.#last)
    if (bytes === undefined || journal === undefined || !journal.hasDebris || this.#shown === undefined) return journal
    const other = parseJournal(bytes, () => this.#shown as number)
    return other.records.length > journal.records.length ? other : journal
  }

  *#lost(last: number, around: JournalContent | number | undefined): Generator<StoredEvent> {
    const range = { first: this.next, last }
    const bytes = typeof around === 'object' ? damagedBytes(around, range) : around
    this.next = last + 1
    for (const json of lostEvents(this.#id, { ...range, bytes }, this.#time ?? unknownTime))
      yield parseEvent(JSON.parse(json))
  }
}

/** The journal behind a segment. It may still begin before that segment, when a seal is on its way. */
export function readJournal(
  bytes: Uint8Array | undefined,
  id: string,
  last: Segment | undefined,
): JournalContent | undefined {
  if (bytes === undefined) return undefined
  const seedFor = (firstSeq: number): number => {
    if (last === undefined) return firstSeed(id)
    return firstSeq === last.firstSeq ? last.previous : last.sum
  }
  return parseJournal(bytes, seedFor)
}

export function gap(id: string, seq: number): LoaderError {
  return new LoaderError(
    'session_damaged',
    `Event ${seq} of session ${id} cannot be read. Events behind it may be intact: \`loader show\` shows them, \`loader ` +
      'verify` says what is damaged, and `loader doctor --repair` makes a copy that goes on.',
  )
}
