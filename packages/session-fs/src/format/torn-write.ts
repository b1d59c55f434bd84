import type { JournalLine } from './journal-lines.ts'

/** A disk takes or leaves whole sectors of a write; the smallest that there are. */
export const sector = 512

/**
 * Whether lines with wrong checksums are the rest of a write that did not finish; if not, they were written whole and
 * damaged later. Where a sector of a write is missing, the filler of the journal is still there: in front of a line,
 * between lines, or behind one that breaks off, from one sector's edge or up to one.
 */
export function leftByTornWrite(buffer: Buffer, from: number, lines: readonly JournalLine[]): boolean {
  const last = lines.at(-1)
  if (last === undefined) return true
  const isMissing = lines.some(({ start }, index) => {
    const before = index === 0 ? from : (lines[index - 1] as JournalLine).end + 1
    return start > before && (start % sector === 0 || (before - 1) % sector === 0)
  })
  return isMissing || hasUnwritten(buffer, from, last.end) || breaksOff(buffer, last)
}

/**
 * Whether a sector is there of which the file system knows the size only: it shows zeros. That happens where a journal
 * grew; it begins with more than this, and all of that is durable before the first record.
 */
function hasUnwritten(buffer: Buffer, from: number, to: number): boolean {
  for (let at = Math.ceil(Math.max(from, leastSize) / sector) * sector; at + sector <= to; at += sector) {
    if (zeros.equals(buffer.subarray(at, at + sector))) return true
  }
  return false
}

const leastSize = 64 * 1024
const zeros = Buffer.alloc(sector)

/** Whether a line ends where a sector does, without what a record ends with. */
function breaksOff(buffer: Buffer, { end }: JournalLine): boolean {
  return end % sector === 0 && buffer.toString('latin1', end - 2, end) !== '}]'
}
