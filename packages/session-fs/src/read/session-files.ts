import { LoaderError, parseEvent, reduce, type SessionState } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import { ancestorsOf, examineShared, type Origins } from '../format/ancestors.ts'
import { hex } from '../format/checksum.ts'
import { epochTail, type SnapshotContent, snapshotHint, type SnapshotStore, parseSnapshot } from '../format/snapshot.ts'
import { type Layout, segmentNumbers } from '../format/layout.ts'
import {
  firstSeed,
  isSegmentOf,
  parseSegment,
  placeStart,
  type Segment,
  shownPlace,
  shownSum,
} from '../format/segment.ts'
import type { FoundFiles } from './log.ts'

/** Reads the files of a session: all or, where a good snapshot stands for the others, only those newer than the snapshot. */
export function findFiles(
  disk: Disk,
  layout: Layout,
  id: string,
  snapshot = readSnapshot(disk, layout, id),
): FoundFiles {
  const journal = () => disk.readIfThere(layout.journal)
  const ancestors = ancestorsOf(
    id,
    originsOf(disk, layout, () => namedNumbers(disk, layout, id)),
  )
  if (snapshot.kind === 'good') {
    // A state may be saved a moment after the events behind it were sealed: then it needs those as well.
    const first = snapshot.state.seq < snapshot.store.lastSealedSeq ? 1 : Math.max(1, snapshot.store.segments)
    const segments = readSegments(disk, layout, numbersFrom(disk, layout, first))
    if (fits(disk, layout, id, snapshot.store, segments))
      return { id, ancestors, snapshot, segments, journal: journal() }
  }
  const numbers = listedNumbers(disk, layout, id)
  const misfit = snapshot.kind === 'good' ? ({ kind: 'damaged' } as const) : snapshot
  const folded = isLong(disk, layout, numbers) ? foldSegments(disk, layout, id, { numbers, ancestors }) : undefined
  if (folded !== undefined) return { id, ancestors, ...folded, journal: journal(), madeAnew: misfit.kind }
  return { id, ancestors, snapshot: misfit, segments: readSegments(disk, layout, numbers), journal: journal() }
}

/** A history above this size is folded one segment at a time, and not handed on. */
const longHistory = 8 * 1024 * 1024

function isLong(disk: Disk, layout: Layout, numbers: readonly number[]): boolean {
  const sizes = numbers.map((number) => disk.sizeOf(layout.segment(number)))
  return sizes.reduce((sum, size) => sum + size, 0) > longHistory
}

/**
 * The state at the end of the segments, as a snapshot would have it; one segment is held at a time. Undefined where any of
 * them is not as it was written, or does not follow: then it takes all of them to say which events are left.
 */
function foldSegments(
  disk: Disk,
  layout: Layout,
  id: string,
  { numbers, ancestors }: { readonly numbers: readonly number[]; readonly ancestors: () => readonly string[] },
): Pick<FoundFiles, 'snapshot' | 'segments'> | undefined {
  let state: SessionState | null = null
  let last: { readonly segment: Segment; readonly bytes: Uint8Array } | undefined
  for (const [index, number] of numbers.entries()) {
    const bytes = disk.readIfThere(layout.segment(number))
    if (bytes === undefined || number !== index + 1) return undefined
    const previous = last?.segment.sum ?? firstSeed(id)
    const examined = examineShared(bytes, { id, number, previous }, ancestors)
    if (examined.kind !== 'intact' || examined.segment.firstSeq !== (state?.seq ?? 0) + 1) return undefined
    state = foldedOver(state, examined.segment.events)
    if (state === null) return undefined
    last = { segment: { ...examined.segment, events: [] }, bytes }
  }
  if (state === null || last === undefined) return undefined
  const { number, lastSeq, sum } = last.segment
  const store = { epoch: state.epoch, segments: number, lastSealedSeq: lastSeq, chain: hex(sum) }
  return { snapshot: { kind: 'good', state, store }, segments: [{ number, bytes: last.bytes }] }
}

/** Null when an event cannot follow. */
function foldedOver(from: SessionState | null, events: readonly string[]): SessionState | null {
  try {
    return events.reduce((state: SessionState | null, json) => reduce(state, parseEvent(JSON.parse(json))), from)
  } catch (error) {
    if (LoaderError.is(error, 'impossible_event') || LoaderError.is(error, 'invalid_event')) return null
    throw error
  }
}

export type FoundSnapshot = SnapshotContent | { readonly kind: 'missing' }

/** The snapshot is a cache: one that cannot be read stops no process, and is made anew as a damaged one is. */
export function readSnapshot(disk: Disk, layout: Layout, id: string): FoundSnapshot {
  const bytes = disk.readCache(layout.snapshot)
  if (bytes === undefined && disk.exists(layout.snapshot)) return { kind: 'damaged' }
  return parsedSnapshot(bytes, id)
}

/** What these bytes are, as the snapshot of this session. */
export function parsedSnapshot(bytes: Uint8Array | undefined, id: string): FoundSnapshot {
  if (bytes === undefined) return { kind: 'missing' }
  try {
    const snapshot = parseSnapshot(bytes)
    const isOther = snapshot.kind === 'good' && snapshot.state.id.toLowerCase() !== id.toLowerCase()
    return isOther ? { kind: 'damaged' } : snapshot
  } catch (error) {
    // It checks, but is no state: nothing that this version has written.
    if (LoaderError.is(error, 'invalid_state')) return { kind: 'damaged' }
    throw error
  }
}

/** Whether a snapshot was saved over these segments. One that names another segment than is there belongs elsewhere. */
function fits(
  disk: Disk,
  layout: Layout,
  id: string,
  { segments: number, chain }: SnapshotStore,
  found: FoundFiles['segments'],
): boolean {
  if (number === 0) return chain === hex(firstSeed(id))
  const bytes = found.find((segment) => segment.number === number)?.bytes
  if (bytes === undefined || hex(shownSum(bytes) ?? 0) === chain) return true
  const named = parseSegment(bytes)
  if (named === undefined || !isSegmentOf(named, id, number)) return true
  const before = number === 1 ? undefined : disk.readIfThere(layout.segment(number - 1))
  // Where the segment does not continue from the one before either, it is the segment that is out of place.
  return named.previous !== (number === 1 ? firstSeed(id) : before && parseSegment(before)?.sum)
}

/** The files that show which sessions a session was forked from. Each is read only when it is asked for. */
export function originsOf(disk: Disk, layout: Layout, numbers: () => readonly number[]): Origins {
  return {
    *segments() {
      for (const number of numbers().toReversed()) {
        const bytes = disk.readIfThere(layout.segment(number))
        if (bytes !== undefined) yield bytes
      }
    },
    snapshot: () => disk.readCache(layout.snapshot),
    journal: () => disk.readIfThere(layout.journal),
  }
}

/** The last segment before the one that an event is in, as their first lines have it; 0 where none of them tells. */
export function numberBefore(disk: Disk, layout: Layout, numbers: readonly number[], seq: number): number {
  const found = numbers.findLast((number) => {
    const start = disk.readStart(layout.segment(number), placeStart)
    return start !== undefined && (shownPlace(start)?.firstSeq ?? Number.POSITIVE_INFINITY) <= seq
  })
  return found === undefined ? 0 : found - 1
}

function readSegments(disk: Disk, layout: Layout, numbers: readonly number[]): FoundFiles['segments'] {
  return numbers.flatMap((number) => {
    const bytes = disk.readIfThere(layout.segment(number))
    return bytes === undefined ? [] : [{ number, bytes }]
  })
}

export function listedNumbers(disk: Disk, layout: Layout, id: string): number[] {
  return disk.exists(layout.directory) ? segmentNumbers(disk.fs.readdirSync(layout.directory), id) : []
}

/**
 * The numbers of the segments as the snapshot has them, and of those that came after it; only where it does not tell, the
 * folder has to. Those behind a gap that no snapshot covers do not show: a search for damage reads the folder.
 */
export function namedNumbers(disk: Disk, layout: Layout, id: string): number[] {
  const hint = snapshotHint(disk.readCacheTail(layout.snapshot, epochTail))
  if (hint?.isCurrent !== true) return listedNumbers(disk, layout, id)
  const covered = Array.from({ length: hint.segments }, (_, index) => index + 1)
  const there = covered.filter((number) => disk.exists(layout.segment(number)))
  return [...there, ...numbersFrom(disk, layout, hint.segments + 1)]
}

/** The numbers of the segments from this one on, up to the first that is not there. */
export function numbersFrom(disk: Disk, layout: Layout, first: number): number[] {
  const numbers: number[] = []
  for (let number = first; disk.exists(layout.segment(number)); number += 1) numbers.push(number)
  return numbers
}
