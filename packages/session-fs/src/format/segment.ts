import { LoaderError, sessionFormat } from '@loader/session-core'
import { checksum, hex } from './checksum.ts'
import { describeRange } from './seq-ranges.ts'

/** A sealed segment: events that were acknowledged, in order, and never change again. */
export interface Segment {
  readonly id: string
  readonly number: number
  readonly firstSeq: number
  readonly lastSeq: number
  readonly previous: number
  readonly sum: number
  /** The events as they are written. */
  readonly events: readonly string[]
}

export interface SegmentPlace {
  readonly id: string
  readonly number: number
  readonly firstSeq: number
  readonly lastSeq: number
  /** Checksum of the segment before; that of the id where there is none. */
  readonly previous: number
}

/** The checksum that the first segment, or the first record of all, continues from: a journal fits its session only. */
export function firstSeed(id: string): number {
  return checksum(id.toLowerCase())
}

/** The document, one event a line, so that it can be read and searched line by line. */
export function encodeSegment(place: SegmentPlace, events: readonly string[]): { bytes: Uint8Array; sum: number } {
  const sums = events.map((event) => `"${hex(checksum(event))}"`)
  const text =
    `{"format":${sessionFormat},"id":${JSON.stringify(place.id)},"number":${place.number},` +
    `"firstSeq":${place.firstSeq},"lastSeq":${place.lastSeq},"previousChecksum":"${hex(place.previous)}",` +
    `"events":[\n${events.join(',\n')}\n],\n"eventChecksums":[${sums.join(',')}]`
  const length = Buffer.byteLength(text)
  const bytes = Buffer.allocUnsafe(length + endOf(0).length)
  bytes.write(text)
  const sum = checksum(bytes.subarray(0, length))
  bytes.write(endOf(sum), length)
  return { bytes, sum }
}

function endOf(sum: number): string {
  return `,"checksum":"${hex(sum)}"}\n`
}

const opening =
  /^\{"format":(\d+),"id":"([^"]*)","number":(\d+),"firstSeq":(\d+),"lastSeq":(\d+),"previousChecksum":"([0-9a-f]{8})","events":\[\n/
const closing = /,"checksum":"([0-9a-f]{8})"\}\n$/
/** How much of the end of a segment shows its checksum. */
export const sumTail = 64
const eventsEnd = '\n],\n"eventChecksums":['

/** The segment, or undefined when any byte of it is not as it was written. */
export function parseSegment(bytes: Uint8Array): Segment | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const start = opening.exec(buffer.toString('utf8', 0, 512))
  const end = closing.exec(buffer.toString('utf8', Math.max(0, buffer.length - sumTail)))
  if (start === null || end === null) return undefined
  const [snapshot, format, id, number, firstSeq, lastSeq, previous] = start as unknown as [string, ...string[]]
  const sum = Number.parseInt(end[1] as string, 16)
  if (checksum(buffer.subarray(0, buffer.length - end[0].length)) !== sum) return undefined
  if (Number(format) > sessionFormat) throw newer(id as string, Number(format))
  const until = buffer.lastIndexOf(eventsEnd)
  const events = eventsBetween(buffer, Buffer.byteLength(snapshot), until)
  return {
    id: id as string,
    number: Number(number),
    firstSeq: Number(firstSeq),
    lastSeq: Number(lastSeq),
    previous: Number.parseInt(previous as string, 16),
    sum,
    events,
  }
}

/** Each is decoded by itself: a text as large as a segment stays in memory for long. */
function eventsBetween(buffer: Buffer, from: number, until: number): string[] {
  const events: string[] = []
  for (let start = from; ;) {
    const found = buffer.indexOf(',\n', start, 'latin1')
    const end = found < 0 || found > until ? until : found
    events.push(buffer.toString('utf8', start, end))
    if (end === until) return events
    start = end + 2
  }
}

/** Whether a segment belongs where it was found. */
export function isSegmentOf(segment: SegmentPlace, id: string, number: number): boolean {
  return segment.id.toLowerCase() === id.toLowerCase() && segment.number === number
}

/** How much of the beginning of a segment says where it stands. */
export const placeStart = 512

/** What the bytes say about their place, whether or not they check. */
export function shownPlace(bytes: Uint8Array): SegmentPlace | undefined {
  const length = Math.min(bytes.length, placeStart)
  const start = opening.exec(Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('utf8'))
  if (start === null) return undefined
  const [, , id, number, firstSeq, lastSeq, previous] = start as unknown as [string, string, ...string[]]
  return {
    id: id as string,
    number: Number(number),
    firstSeq: Number(firstSeq),
    lastSeq: Number(lastSeq),
    previous: Number.parseInt(previous as string, 16),
  }
}

/** What a good segment is that does not belong under the number where it was found. */
export function describeStray(place: SegmentPlace | undefined, id: string, number: number): string {
  if (place === undefined) return 'one from elsewhere'
  const range = describeRange({ first: place.firstSeq, last: place.lastSeq })
  if (place.id.toLowerCase() !== id.toLowerCase()) return `segment ${place.number} of session ${place.id} (${range})`
  if (place.number !== number) return `segment ${place.number} of this session (${range})`
  return `that of another history of this session (${range})`
}

/** The same, unless it names more events than the bytes can hold. */
export function plausiblePlace(bytes: Uint8Array): SegmentPlace | undefined {
  const place = shownPlace(bytes)
  return place !== undefined && place.lastSeq - place.firstSeq < bytes.length ? place : undefined
}

/** The events between the first line and the last, whether or not they check. */
export function shownEvents(bytes: Uint8Array): string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const [from, until] = [buffer.indexOf('\n') + 1, buffer.lastIndexOf(eventsEnd)]
  return from > until ? [] : buffer.toString('utf8', from, until).split(',\n')
}

/** The checksum that the bytes end with, whether or not it is theirs. */
export function shownSum(bytes: Uint8Array): number | undefined {
  const tail = bytes.subarray(Math.max(0, bytes.length - sumTail))
  const end = closing.exec(Buffer.from(tail.buffer, tail.byteOffset, tail.length).toString('utf8'))
  return end === null ? undefined : Number.parseInt(end[1] as string, 16)
}

function newer(id: string, format: number): LoaderError {
  return new LoaderError(
    'format_newer',
    `A segment of session ${id} is in format ${format}; this version reads formats up to ${sessionFormat}. ` +
      'Nothing was changed. Update Loader to read it.',
  )
}
