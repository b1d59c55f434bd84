import { listedNumbers } from '../read/session-files.ts'
import type { SeqRange } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import { seqOf } from '../format/seq-of.ts'
import { damagedBytes } from '../format/journal-content.ts'
import type { Layout } from '../format/layout.ts'
import { Seeds } from '../read/seeds.ts'
import { lookAt } from '../read/look-at.ts'
import {
  type FoundSegment,
  type SnapshotFile,
  lookAtSnapshot,
  noted,
  placeOf,
  segmentsOf,
  undisturbed,
} from '../read/survey.ts'

/** All that can be read of a session. */
export interface Everything {
  readonly snapshot: SnapshotFile
  /** Every event that checks, by seq. */
  readonly events: ReadonlyMap<number, string>
  /** The last event that the writer's caller is known to have been told is stored. */
  readonly acknowledged: number
  /** The damage that was found in files, in words. */
  readonly faults: readonly FileFault[]
  /** How many damaged bytes stand where these events were; undefined when that is not known. */
  bytesOf(range: SeqRange): number | undefined
}

interface FileFault {
  /** The events that the file held, as far as that is known. */
  readonly first: number
  readonly last: number
  readonly message: string
}

export function readEverything(
  disk: Disk,
  layout: Layout,
  id: string,
  proof: 'own' | 'vouched' = 'vouched',
): Everything {
  return undisturbed(
    () => listedNumbers(disk, layout, id),
    () => {
      const snapshot = lookAtSnapshot(disk, layout, id)
      const seeds = new Seeds(id, snapshot.kind === 'good' ? snapshot.store.chain : undefined)
      const segments = [...segmentsOf(disk, layout, id, proof)]
      for (const found of segments) seeds.add(noted(found))
      const file = lookAt(disk, layout.journal)
      const journal = file.kind === 'bytes' ? seeds.read(file.bytes) : undefined
      const records = journal?.records ?? []
      const events = new Map<number, string>()
      // What checks as a whole comes last, so that it stands.
      for (const json of damagedFirst(segments).flatMap((segment) => segment.events)) events.set(seqOf(json), json)
      for (const { seq, json } of records) if (!events.has(seq)) events.set(seq, json)
      const sealed = highest(segments.map((found) => (found.kind === 'foreign' ? 0 : (placeOf(found)?.lastSeq ?? 0))))
      return {
        snapshot,
        events,
        acknowledged: highest([
          snapshot.kind === 'good' ? snapshot.state.seq : 0,
          sealed,
          highest(records.map(({ durable }) => durable)),
          journal?.shownDurable ?? 0,
          journal?.damagedBehind ? journal.damagedBehind + highest([sealed, records.at(-1)?.seq ?? 0]) : 0,
        ]),
        faults: [...segments.flatMap((found) => faultOf(found) ?? []), ...(journal?.isForeign ? [foreignJournal] : [])],
        bytesOf: (range) =>
          bytesInSegments(segments, range) ??
          (journal && range.last > sealed ? damagedBytes(journal, range) : undefined),
      }
    },
  )
}

const foreignJournal = {
  first: 0,
  last: Number.POSITIVE_INFINITY,
  message: 'The journal is that of another session, or of another history of this one.',
}

function highest(seqs: readonly number[]): number {
  return seqs.reduce((one, other) => Math.max(one, other), 0)
}

function damagedFirst(segments: readonly FoundSegment[]): FoundSegment[] {
  return [...segments.filter(({ kind }) => kind === 'damaged'), ...segments.filter(({ kind }) => kind !== 'damaged')]
}

function bytesInSegments(segments: readonly FoundSegment[], { first, last }: SeqRange): number | undefined {
  const found = segments.find((segment) => {
    const place = segment.kind === 'damaged' ? segment.place : undefined
    return place !== undefined && place.firstSeq <= last && place.lastSeq >= first
  })
  return found?.kind === 'damaged' ? found.damagedBytes : undefined
}

function faultOf(found: FoundSegment): FileFault | undefined {
  const { firstSeq: first = 0, lastSeq: last = Number.POSITIVE_INFINITY } = placeOf(found) ?? {}
  switch (found.kind) {
    case 'intact':
    case 'scratched':
      return undefined
    case 'damaged':
      return { first, last, message: `Segment ${found.number} is damaged.` }
    case 'foreign':
      return { first: 0, last: Number.POSITIVE_INFINITY, message: `Segment ${found.number} belongs elsewhere.` }
    case 'unreadable':
      return { first, last, message: `Segment ${found.number} cannot be opened (${found.code}).` }
    default:
      return found satisfies never
  }
}
