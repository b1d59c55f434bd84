import { LoaderError, parseEvent, type StoredEvent } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import { ancestorsOf, examineShared } from '../format/ancestors.ts'
import { seqOf, vouchedBy } from '../format/examine-segment.ts'
import { headSeq } from '../format/head.ts'
import { type JournalContent, parseJournal } from '../format/journal-content.ts'
import type { Layout } from '../format/layout.ts'
import { firstSeed, type Segment } from '../format/segment.ts'
import { notFound } from './presence.ts'
import { tellsOfEvents } from './recover.ts'
import { listedNumbers, originsOf } from './session-files.ts'

/** How often a reader looks again while a writer seals. */
export const attempts = 20

/**
 * The events of a session from a seq on. Locks nothing, writes nothing.
 *
 * A writer that seals moves events from the journal to a segment. Whoever reads the segments first and the journal second
 * can miss what moves in between, and sees it by the gap: then it looks again, from where it was.
 */
export function* readEvents(disk: Disk, layout: Layout, id: string, fromSeq: number): Generator<StoredEvent> {
  let next = Math.max(1, fromSeq)
  let found = false
  let seen = ''
  for (let attempt = 1; ; attempt += 1) {
    const step = yield* readOnce(disk, layout, id, next)
    found ||= step.found
    if (step.complete) break
    // What looks the same twice is not on its way from here to there.
    if (attempt >= attempts || (step.next === next && step.seen === seen)) throw gap(id, step.next)
    next = step.next
    seen = step.seen
  }
  if (!found) throw notFound(id, layout.directory)
}

interface Step {
  readonly next: number
  readonly complete: boolean
  readonly found: boolean
  /** What the files were, in short. */
  readonly seen: string
}

function* readOnce(disk: Disk, layout: Layout, id: string, fromSeq: number): Generator<StoredEvent, Step> {
  let next = fromSeq
  let last: Segment | undefined
  // Read first: what it covers was durable before anything that is read after it.
  const covered = headSeq(disk.readCache(layout.head), id)
  const numbers = listedNumbers(disk, layout, id)
  const ancestors = ancestorsOf(
    id,
    originsOf(disk, layout, () => numbers),
  )
  for (const number of numbers) {
    const bytes = disk.readIfThere(layout.segment(number))
    const previous = number === 1 ? firstSeed(id) : last?.number === number - 1 ? last.sum : undefined
    const vouches = (sum: number) =>
      vouchedBy(disk.readIfThere(layout.segment(number + 1)), disk.readIfThere(layout.journal))(sum)
    const examined = bytes && examineShared(bytes, { id, number, previous, vouches }, ancestors)
    if (examined === undefined || examined.kind === 'foreign') continue
    if (examined.kind !== 'damaged') last = examined.segment
    for (const json of examined.kind === 'damaged' ? examined.events : examined.segment.events) {
      const seq = seqOf(json)
      if (seq < next) continue
      if (seq > next) return { next, complete: false, found: true, seen: numbers.join(' ') }
      yield parseEvent(JSON.parse(json))
      next += 1
    }
  }
  const journal = readJournal(disk, layout, id, last)
  const seen = `${numbers.join(' ')} ${journal?.records.length} ${journal?.records.at(-1)?.sum}`
  for (const record of journal?.records ?? []) {
    if (record.seq < next) continue
    // Nobody was told of what stands behind a torn write, unless something later says that it was durable.
    if (record.seq > next && next > covered && !journal?.records.some(({ durable }) => durable >= next)) break
    if (record.seq > next) return { next, complete: false, found: true, seen }
    yield parseEvent(JSON.parse(record.json))
    next += 1
  }
  const sealedMeanwhile = listedNumbers(disk, layout, id).length > numbers.length
  const complete = !sealedMeanwhile && next > Math.max(covered, journal?.shownDurable ?? 0)
  const found = covered > 0 || numbers.length > 0 || (journal !== undefined && tellsOfEvents(journal))
  return { next, complete, found, seen }
}

/** The journal behind a segment. It may still begin before that segment, when a seal is on its way. */
export function readJournal(
  disk: Disk,
  layout: Layout,
  id: string,
  last: Segment | undefined,
): JournalContent | undefined {
  const bytes = disk.readIfThere(layout.journal)
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
    `Event ${seq} of session ${id} cannot be read. Events behind it may be intact: verify says which, and reading from ` +
      'one of them shows them.',
  )
}
