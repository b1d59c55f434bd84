import { checksum } from './checksum.ts'
import { encodeSegment, shownEvents, shownPlace, shownSum } from './segment.ts'

/** The intact parts of a segment whose checksum is wrong. */
export interface DamagedSegment {
  /** The events that are as they were written. */
  readonly events: readonly string[]
  /** Where the lines begin that do not check; 0 when it is none of the events. */
  readonly faults: readonly number[]
}

/**
 * Reads the intact events of a damaged segment. Each event has a checksum of its own in the last line; where the damage
 * is in that list, the checksum of the whole document vouches for the events.
 */
export function readDamagedSegment(bytes: Uint8Array): DamagedSegment {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const whole = eventsOfWhole(buffer)
  if (whole !== undefined) return { events: whole, faults: [buffer.lastIndexOf('\n', -2) + 1] }
  const lines = linesOf(buffer)
  const sums = sumsIn(lines)
  const events: string[] = []
  const faults: number[] = []
  for (const [index, line] of lines.entries()) {
    const found = eventsIn(line.bytes, sums)
    events.push(...found.map((event) => event.toString('utf8')))
    const frames = index === 0 || index === lines.length - 1 || line.bytes.equals(closingBracket)
    if (found.length === 0 && !frames) faults.push(line.offset)
  }
  return { events, faults: faults.length > 0 ? faults : [0] }
}

/** How many bytes of a damaged segment are none of these events, nor what frames them. */
export function damagedBytesOf(bytes: Uint8Array, events: readonly string[]): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const lines = linesOf(buffer)
    .filter(({ bytes: line }) => !line.equals(closingBracket))
    .slice(1, -1)
  const [inLines, intact] = [
    lines.map(({ bytes: line }) => line.length),
    events.map((event) => Buffer.byteLength(event)),
  ]
  return Math.max(0, sum(inLines) - sum(intact) - events.length)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0)
}

const closingBracket = Buffer.from('],')

/** All events, if the document, written anew from them, has the checksum that it shows. */
function eventsOfWhole(buffer: Buffer): readonly string[] | undefined {
  const place = shownPlace(buffer)
  if (place === undefined) return undefined
  const events = shownEvents(buffer)
  return encodeSegment(place, events).sum === shownSum(buffer) ? events : undefined
}

interface Line {
  readonly offset: number
  readonly bytes: Buffer
}

function linesOf(buffer: Buffer): Line[] {
  const lines: Line[] = []
  for (let offset = 0; offset < buffer.length;) {
    const found = buffer.indexOf('\n', offset)
    const end = found < 0 ? buffer.length : found
    lines.push({ offset, bytes: buffer.subarray(offset, end) })
    offset = end + 1
  }
  return lines
}

function sumsIn(lines: readonly Line[]): ReadonlySet<number> {
  const text = lines.at(-1)?.bytes.toString('utf8') ?? ''
  return new Set(Array.from(text.matchAll(/"([0-9a-f]{8})"/g), ([, sum]) => Number.parseInt(sum as string, 16)))
}

/** The event of a line, or two of them where it was the byte between them that was hit. */
function eventsIn(line: Buffer, sums: ReadonlySet<number>): Buffer[] {
  const event = eventAtStart(line, sums)
  if (event !== undefined) return [event]
  const cuts = cutsIn(line)
  return cuts.flatMap((from, index) => {
    // Not every cut is the end of an event, so that some of the next ones are tried.
    const ends = [...cuts.slice(index + 1, index + 9), line.length]
    return ends.flatMap((to) => eventAtStart(line.subarray(from, to), sums) ?? []).slice(0, 1)
  })
}

/** Behind an event stand a comma, a newline, a bracket, or what has become of them. */
function eventAtStart(bytes: Buffer, sums: ReadonlySet<number>): Buffer | undefined {
  const ends = [0, 1, 2, 3, 4].map((less) => bytes.length - less).filter((end) => end > 0)
  return ends.map((end) => bytes.subarray(0, end)).find((event) => sums.has(checksum(event)))
}

/** Where an object may begin whose newline was hit. */
function cutsIn(line: Buffer): number[] {
  // One character for each byte, so that places in the text are places in the bytes.
  const text = line.toString('latin1')
  return [0, ...Array.from(text.matchAll(/(?:\},|\[)[^](?=\{")/g), (match) => match.index + match[0].length)]
}
