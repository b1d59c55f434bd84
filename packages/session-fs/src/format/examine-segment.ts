import { readDamagedSegment } from './damaged-segment.ts'
import { marksOf, parseJournal } from './journal-content.ts'
import { seqOf } from './seq-of.ts'
import {
  encodeSegment,
  isSegmentOf,
  parseSegment,
  type Segment,
  type SegmentPlace,
  shownPlace,
  shownSum,
} from './segment.ts'

/** What lies under the name of a segment. */
export type ExaminedSegment =
  | { readonly kind: 'intact'; readonly segment: Segment }
  /** Some of its bytes are not as they were written, yet every event is proven. */
  | { readonly kind: 'scratched'; readonly segment: Segment }
  /** Events are lost. These are not. The last seq is what it shows, if it is of this session at all. */
  | { readonly kind: 'damaged'; readonly events: readonly string[]; readonly lastSeq: number | undefined }
  /** A good segment, but not the one that belongs here. */
  | { readonly kind: 'foreign' }

export interface ExpectedPlace {
  readonly id: string
  readonly number: number
  /** Checksum of the segment before, where it is known for sure. */
  readonly previous?: number | undefined
  /** Checksum of the segment itself, where a snapshot names it. */
  readonly sum?: number | undefined
  /** Whether what comes behind the segment continues from this checksum. */
  readonly vouches?: ((sum: number) => boolean) | undefined
}

/** The segment behind, or else the journal of this session, says what it continues from. */
export function vouchedBy(
  id: string,
  next: Uint8Array | undefined,
  journal: Uint8Array | undefined,
): (sum: number) => boolean {
  return (sum) => {
    if (next !== undefined && shownPlace(next)?.previous === sum) return true
    return journal !== undefined && marksOf(id).some((mark) => parseJournal(journal, mark, () => sum).unbroken > 0)
  }
}

export function examineSegment(bytes: Uint8Array, expected: ExpectedPlace): ExaminedSegment {
  const segment = parseSegment(bytes)
  if (segment === undefined) return examineDamaged(bytes, expected)
  const { id, number, previous = segment.previous, sum = segment.sum } = expected
  const belongs = isSegmentOf(segment, id, number) && segment.previous === previous && segment.sum === sum
  return belongs ? { kind: 'intact', segment } : { kind: 'foreign' }
}

function examineDamaged(bytes: Uint8Array, expected: ExpectedPlace): ExaminedSegment {
  const { events } = readDamagedSegment(bytes)
  const shown = shownPlace(bytes)
  // The document as it must have been, if nothing but what frames the events was hit.
  const written = [...rewritten(events, expected, shown), ...rewritten(eventLines(bytes), expected, shown)]
  const sum = expected.sum ?? shownSum(bytes)
  const proven = written.find((segment) => segment.sum === sum || expected.vouches?.(segment.sum) === true)
  if (proven !== undefined) return { kind: 'scratched', segment: proven }
  // One that continues from elsewhere is of another history, or twice damaged: then only all of it would be a proof.
  const continues = shown !== undefined && (expected.previous ?? shown.previous) === shown.previous
  if (!continues || !isSegmentOf(shown, expected.id, expected.number)) {
    return { kind: 'damaged', events: [], lastSeq: undefined }
  }
  const complete = rewritten(events, expected, shown).find(
    ({ firstSeq, lastSeq }) => firstSeq === shown.firstSeq && lastSeq === shown.lastSeq,
  )
  if (complete === undefined) {
    // More events than its bytes can hold were never in it.
    const isPlausible = shown.lastSeq - shown.firstSeq < bytes.length
    return { kind: 'damaged', events, lastSeq: isPlausible ? shown.lastSeq : undefined }
  }
  return { kind: 'scratched', segment: { ...complete, sum: expected.sum ?? complete.sum } }
}

/** What looks like an event in a line of its own, whether or not it checks. */
function eventLines(bytes: Uint8Array): string[] {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8').split('\n')
  return lines.filter((line) => /^\{"type":"[^"]*","seq":\d+,.*\},?$/s.test(line)).map((line) => line.replace(/,$/, ''))
}

function rewritten(events: readonly string[], expected: ExpectedPlace, shown: SegmentPlace | undefined): Segment[] {
  return placesOf(events, expected, shown).map((place) => ({ ...place, sum: encodeSegment(place, events).sum, events }))
}

/** Where these events may have been; nowhere when some are missing between them. */
function placesOf(
  events: readonly string[],
  { id, number, previous }: ExpectedPlace,
  shown: SegmentPlace | undefined,
): SegmentPlace[] {
  const seqs = events.map(seqOf)
  const [firstSeq, lastSeq] = [seqs[0], seqs.at(-1)]
  const before = previous ?? shown?.previous
  if (firstSeq === undefined || lastSeq === undefined || before === undefined) return []
  if (seqs.some((seq, index) => seq !== firstSeq + index)) return []
  // The id is written as it was spelled when the session was opened.
  const spellings = new Set([id, ...(shown?.id.toLowerCase() === id.toLowerCase() ? [shown.id] : [])])
  return [...spellings].map((spelled) => ({ id: spelled, number, firstSeq, lastSeq, previous: before }))
}
