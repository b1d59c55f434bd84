import { examineShared } from '../format/ancestors.ts'
import { vouchedBy } from '../format/examine-segment.ts'
import { seqOf } from '../format/seq-of.ts'
import type { SnapshotContent } from '../format/snapshot.ts'
import type { JournalContent } from '../format/journal-content.ts'
import { firstSeed, type Segment, type SegmentPlace, shownPlace } from '../format/segment.ts'
import { notedIn, Seeds } from './seeds.ts'

/** The files of a session, as they were found. */
export interface FoundFiles {
  readonly id: string
  /** The sessions that it was forked from: it may share segments of theirs. */
  readonly ancestors: () => readonly string[]
  /** In order of their numbers, from the first that is needed on. */
  readonly segments: readonly { readonly number: number; readonly bytes: Uint8Array }[]
  readonly journal: Uint8Array | undefined
  readonly snapshot: SnapshotContent | { readonly kind: 'missing' }
  /** Why the state was folded from the segments while they were read, where it was: the snapshot is then that state. */
  readonly madeAnew?: Exclude<FoundFiles['snapshot']['kind'], 'good'>
}

/** A file under the name of a segment that does not give all events that belong there. */
interface LostSegment {
  readonly number: number
  readonly kind: 'damaged' | 'foreign'
  readonly events: readonly string[]
  /** The last event that it held, as far as it tells. */
  readonly lastSeq: number | undefined
  /** Where a good one belongs. */
  readonly place?: SegmentPlace | undefined
}

/** What the files say, put together. */
export interface Log {
  readonly segments: readonly Segment[]
  /** Numbers of segments that lost nothing but are not as they were written. */
  readonly scratched: readonly number[]
  readonly lost: readonly LostSegment[]
  readonly journal: JournalContent | undefined
  readonly chain: number
  readonly lastSealedSeq: number
}

export function readLog(found: FoundFiles): Log {
  const saved = found.snapshot.kind === 'good' ? found.snapshot.store : undefined
  const segments: Segment[] = []
  const scratched: number[] = []
  const lost: LostSegment[] = []
  const seeds = new Seeds(found.id, saved?.chain)
  for (const [index, { number, bytes }] of found.segments.entries()) {
    const vouches = vouchedBy(found.id, found.segments[index + 1]?.bytes, found.journal)
    const before = number === 1 ? firstSeed(found.id) : segments.find((segment) => segment.number === number - 1)?.sum
    const sum = saved?.segments === number ? Number.parseInt(saved.chain, 16) : undefined
    const examined = examineShared(bytes, { id: found.id, number, previous: before, sum, vouches }, found.ancestors)
    seeds.add(notedIn(bytes, examined))
    if (examined.kind === 'scratched') scratched.push(number)
    if (examined.kind === 'intact' || examined.kind === 'scratched') segments.push(examined.segment)
    else if (examined.kind === 'damaged') lost.push({ number, ...examined })
    else lost.push({ number, kind: 'foreign', events: [], lastSeq: undefined, place: shownPlace(bytes) })
  }
  const last = segments.at(-1)
  const lastSealedSeq = Math.max(saved?.lastSealedSeq ?? 0, last?.lastSeq ?? 0)
  const chain =
    saved !== undefined && saved.lastSealedSeq >= (last?.lastSeq ?? 0)
      ? Number.parseInt(saved.chain, 16)
      : (last?.sum ?? firstSeed(found.id))
  const journal = found.journal && seeds.read(found.journal)
  return { segments, scratched, lost, journal, chain, lastSealedSeq }
}

export function eventsBySeq({ segments, lost, journal }: Log): Map<number, string> {
  const events = new Map<number, string>()
  for (const segment of [...lost, ...segments]) {
    for (const json of segment.events) events.set(seqOf(json), json)
  }
  for (const { seq, json } of journal?.records ?? []) events.set(seq, json)
  return events
}
