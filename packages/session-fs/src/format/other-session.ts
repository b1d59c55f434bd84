import { markedChecksum } from './checksum.ts'
import { type JournalContent, marksOf } from './journal-content.ts'
import { bufferOf, type JournalLine, linesOf } from './journal-lines.ts'
import { sumAt, sumLength } from './record-in-file.ts'
import { firstSeed } from './segment.ts'

/** Another session, whose writer wrote the file that lies under the name of this session's journal. */
export interface OtherSession {
  /** Undefined where no event tells it. */
  readonly id: string | undefined
}

/**
 * The other session that wrote this journal; undefined when nothing shows one. It is asked only where the first line is none
 * of ours. That line tells it, if it is the first of a session that a line names; and so does every line that fits the one
 * before it by a mark that is not ours. Two of them prove it: damage gives each line another mark.
 */
export function otherSessionOf(
  bytes: Uint8Array,
  { records, offsets, faults }: JournalContent,
  { id, sealedIn }: { readonly id: string; readonly sealedIn: string | undefined },
): OtherSession | undefined {
  if ((faults[0] ?? Infinity) > (offsets[0] ?? Infinity)) return undefined
  const buffer = bufferOf(bytes)
  const lines = [...linesOf(buffer)]
  const others = [...idsNamedIn(buffer), sealedIn ?? id].filter((other) => other.toLowerCase() !== id.toLowerCase())
  const first = others.find((other) => marksOf(other).some((mark) => fits(buffer, lines[0], firstSeed(other), mark)))
  if (first !== undefined) return { id: first }
  const mark = records.length === 0 ? sharedMark(buffer, lines, marksOf(id)) : undefined
  return mark === undefined ? undefined : { id: others.find((other) => firstSeed(other) === mark) }
}

/** An event that names the session which it stands in. */
const namesSession = /"type":"session\.(?:opened|forked)"[^\n]*/g
const idIn = /"id":"([A-Za-z0-9_-]+)"/g

function idsNamedIn(buffer: Buffer): string[] {
  const naming = buffer.toString('latin1').match(namesSession) ?? []
  return naming.flatMap((text) => Array.from(text.matchAll(idIn), ([, id]) => id as string))
}

function fits(buffer: Buffer, line: JournalLine | undefined, previous: number, mark: number): boolean {
  if (line === undefined) return false
  return markedChecksum(buffer.subarray(line.start + sumLength, line.end), previous, mark) === shownSum(buffer, line)
}

/** The mark, none of these, by which two lines fit those before them. */
function sharedMark(buffer: Buffer, lines: readonly JournalLine[], own: readonly number[]): number | undefined {
  const seen = new Set(own)
  const once = new Set<number>()
  for (const [index, line] of lines.entries()) {
    const previous = lines[index - 1] && shownSum(buffer, lines[index - 1] as JournalLine)
    const sum = shownSum(buffer, line)
    if (previous === undefined || sum === undefined) continue
    const mark = markedChecksum(buffer.subarray(line.start + sumLength, line.end), previous, sum)
    if (seen.has(mark)) continue
    if (once.has(mark)) return mark
    once.add(mark)
  }
  return undefined
}

function shownSum(buffer: Buffer, { start, end }: JournalLine): number | undefined {
  return sumAt(buffer, start, end)
}
