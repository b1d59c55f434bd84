import type { Disk } from '../disk/disk.ts'
import { isDeleted, readLock } from '../disk/lock.ts'
import { ancestorsOf, examineShared } from '../format/ancestors.ts'
import { damagedBytesOf, readDamagedSegment } from '../format/damaged-segment.ts'
import { type ExaminedSegment, vouchedBy } from '../format/examine-segment.ts'
import { type Layout, lockNumbers, sessionOf } from '../format/layout.ts'
import { firstSeed, plausiblePlace, type Segment, type SegmentPlace, shownPlace, shownSum } from '../format/segment.ts'
import { codeOfUnreadable, lookAt } from './look-at.ts'
import { notFound } from './presence.ts'
import { attempts } from './read.ts'
import type { Noted } from './seeds.ts'
import { type FoundSnapshot, listedNumbers, originsOf, parsedSnapshot } from './session-files.ts'

/** Throws when there is nothing of a session, not even damaged files. */
export function requireAnything(disk: Disk, layout: Layout, id: string): void {
  const names = disk.exists(layout.directory) ? disk.fs.readdirSync(layout.directory) : []
  const lock = readLock(disk, layout.lock(lockNumbers(names, id).at(-1) ?? 0))
  const isThere = names.some((name) => sessionOf(name) === id.toLowerCase())
  if (isDeleted(lock) || !isThere) throw notFound(id, layout.directory)
}

export type SnapshotFile = FoundSnapshot | { readonly kind: 'unreadable'; readonly code: string }

export function lookAtSnapshot(disk: Disk, layout: Layout, id: string): SnapshotFile {
  try {
    return parsedSnapshot(disk.readIfThere(layout.snapshot), id)
  } catch (error) {
    return { kind: 'unreadable', code: codeOfUnreadable(error) }
  }
}

/** A file under the name of a segment, and what can be read of it. */
export type FoundSegment = {
  readonly number: number
  readonly path: string
  readonly size: number
  /** The checksum that it ends with, which what comes behind it continues from. */
  readonly sum: number | undefined
  readonly events: readonly string[]
} & (
  | { readonly kind: 'intact'; readonly segment: Segment }
  /** Something is damaged, but no event. */
  | { readonly kind: 'scratched'; readonly segment: Segment; readonly faults: readonly number[] }
  /** What it says of its place may be damaged, too. */
  | {
      readonly kind: 'damaged'
      readonly place: SegmentPlace | undefined
      readonly faults: readonly number[]
      /** How many bytes stand there that are no event any more. */
      readonly damagedBytes: number
    }
  | { readonly kind: 'foreign'; readonly place: SegmentPlace | undefined }
  | { readonly kind: 'unreadable'; readonly code: string }
)

/**
 * The segments that are listed, in order. One at a time is read, so that a long history fits in any memory. Events are
 * proven by the segment that holds them; or, as for a reader, also by what continues from it.
 */
export function* segmentsOf(
  disk: Disk,
  layout: Layout,
  id: string,
  proof: 'own' | 'vouched' = 'own',
  numbers: readonly number[] = listedNumbers(disk, layout, id),
): Generator<FoundSegment> {
  const ancestors = ancestorsOf(
    id,
    originsOf(disk, layout, () => numbers),
  )
  let last: Segment | undefined
  for (const number of numbers) {
    const path = layout.segment(number)
    const file = lookAt(disk, path)
    if (file.kind === 'unreadable')
      yield { number, path, size: 0, sum: undefined, events: [], kind: 'unreadable', code: file.code }
    if (file.kind !== 'bytes') continue
    const previous = number === 1 ? firstSeed(id) : last?.number === number - 1 ? last.sum : undefined
    const vouches = (sum: number) =>
      vouchedBy(id, bytesAt(disk, layout.segment(number + 1)), bytesAt(disk, layout.journal))(sum)
    const expected = { id, number, previous, vouches: proof === 'vouched' ? vouches : undefined }
    const examined = examineShared(file.bytes, expected, ancestors)
    if ('segment' in examined) last = examined.segment
    const sum = 'segment' in examined ? examined.segment.sum : shownSum(file.bytes)
    yield { number, path, size: file.bytes.length, sum, ...described(file.bytes, examined) }
  }
}

function bytesAt(disk: Disk, path: string): Uint8Array | undefined {
  const file = lookAt(disk, path)
  return file.kind === 'bytes' ? file.bytes : undefined
}

type Content<Found> = Found extends unknown ? Omit<Found, 'number' | 'path' | 'size' | 'sum'> : never

function described(bytes: Uint8Array, examined: ExaminedSegment): Content<FoundSegment> {
  switch (examined.kind) {
    case 'intact':
      return { ...examined, events: examined.segment.events }
    case 'scratched':
      return { ...examined, events: examined.segment.events, faults: readDamagedSegment(bytes).faults }
    case 'damaged':
      return {
        kind: 'damaged',
        events: examined.events,
        place: plausiblePlace(bytes),
        faults: readDamagedSegment(bytes).faults,
        damagedBytes: damagedBytesOf(bytes, examined.events),
      }
    case 'foreign':
      return { kind: 'foreign', events: [], place: shownPlace(bytes) }
    default:
      return examined satisfies never
  }
}

/** The place of a segment, as far as it is known. */
export function placeOf(found: FoundSegment): SegmentPlace | undefined {
  if ('segment' in found) return found.segment
  return 'place' in found ? found.place : undefined
}

export function noted(found: FoundSegment): Noted {
  return { place: found.kind === 'foreign' ? undefined : placeOf(found), sum: found.sum, events: found.events }
}

/** What was read, while no writer sealed meanwhile: sealing moves events from the journal to a segment. */
export function undisturbed<Result>(numbers: () => readonly number[], look: () => Result): Result {
  for (let attempt = 1; ; attempt += 1) {
    const before = numbers().length
    const result = look()
    if (attempt >= attempts || numbers().length === before) return result
  }
}
