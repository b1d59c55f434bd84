import { checksum, hex } from './checksum.ts'

/**
 * One line of a journal: `["<checksum>",<epoch>,<seq>,<durable seq>,<event>]`.
 *
 * Invariants:
 * 1. The checksum covers everything behind it and continues from that of the record before, the first from the last
 *    segment. What an earlier attempt left behind therefore never fits.
 * 2. The durable seq is the last one known to be on the disk when the record was written. A bad record at or below the
 *    durable seq of a later one is damage; any other bad record was never acknowledged.
 */
export interface JournalRecord {
  readonly epoch: number
  readonly seq: number
  readonly durable: number
  /** The event as it is written. */
  readonly json: string
}

/** A record as it stands in a journal. */
export interface WrittenRecord extends JournalRecord {
  /** The whole line, with its newline. */
  readonly line: string
  readonly sum: number
  /** The checksum that it continues from. */
  readonly previous: number
}

export function encodeRecord(record: JournalRecord, previous: number): { line: string; sum: number } {
  const rest = `,${record.epoch},${record.seq},${record.durable},${record.json}]`
  const sum = checksum(rest, previous)
  return { line: `["${hex(sum)}"${rest}\n`, sum }
}

/** Lines that continue from `seed`. Those that do already are taken as they are. */
export function encodeRecords(
  records: readonly (JournalRecord | WrittenRecord)[],
  seed: number,
): { bytes: Uint8Array; sum: number } {
  let sum = seed
  const lines = records.map((record) => {
    const written = 'line' in record && record.previous === sum ? record : encodeRecord(record, sum)
    sum = written.sum
    return written.line
  })
  return { bytes: Buffer.from(lines.join('')), sum }
}

/** What a journal holds. */
export interface JournalContent {
  /** All records that check, in order. After damage, those behind it check by the record before each of them. */
  readonly records: readonly WrittenRecord[]
  /** How many of them stand before the first line that does not check. */
  readonly unbroken: number
  /** Where each of the records begins. */
  readonly offsets: readonly number[]
  /** Where each line begins that does not check. */
  readonly faults: readonly number[]
  /** The newest durable seq that one of those lines shows. It is not proven, but who else would have written it? */
  readonly shownDurable: number
  /** Where the first of those lines would begin, or the next record. */
  readonly unbrokenEnd: number
  /** Whether anything but records and newlines is in the file. */
  readonly hasDebris: boolean
  /** Set when the file is shorter than any that was made. */
  readonly truncated: boolean
}

/** Journals are made in multiples of this, so one that was cut off gives itself away. */
export const journalUnit = 64 * 1024

/** Reads every record that checks. `seedFor` gives the checksum that a first record with this seq continues from. */
export function parseJournal(bytes: Uint8Array, seedFor: (firstSeq: number) => number): JournalContent {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const chain = new Chain(buffer, seedFor)
  for (const line of linesOf(buffer)) chain.take(line)
  return {
    records: chain.found.map(({ record }) => record),
    unbroken: chain.unbroken ?? chain.found.length,
    offsets: chain.found.map(({ start }) => start),
    faults: chain.faults,
    shownDurable: chain.shownDurable,
    unbrokenEnd: chain.unbrokenEnd,
    hasDebris: chain.faults.length > 0,
    truncated: buffer.length === 0 || buffer.length % journalUnit !== 0,
  }
}

interface Line {
  readonly start: number
  readonly end: number
  readonly text: string
}

interface Placed {
  readonly record: WrittenRecord
  readonly start: number
}

const newline = 10
const sumLength = '["00000000"'.length
const shown = /^\["([0-9a-f]{8})"/
const fields = /^.{11},(\d+),(\d+),(\d+),(.*)\]$/s
const frame = /^.{11},\d+,(\d+),(\d+),\{"/s
/** Where a record ends, and perhaps another begins, although the newline behind it was hit. */
const seam = /\](?=.(?:$|\["[0-9a-f]{8}",\d+,\d+,\d+,\{))/gs
/** Checksums that a record behind damage may continue from; more are only found in a file that is none of ours. */
const mostSeeds = 8

/**
 * Follows the checksums through a journal. Damage costs what it hit and no more: a record behind it checks by the
 * checksum that the damaged record still shows, or by the one that it should show. In the second case nothing but the
 * shown one was hit, and the record is proven by the one behind it.
 */
class Chain {
  readonly found: Placed[] = []
  readonly faults: number[] = []
  unbroken: number | undefined
  unbrokenEnd = 0
  shownDurable = 0
  readonly #buffer: Buffer
  readonly #seedFor: (firstSeq: number) => number
  #seeds: readonly number[] | undefined
  #unproven: Placed | undefined

  constructor(buffer: Buffer, seedFor: (firstSeq: number) => number) {
    this.#buffer = buffer
    this.#seedFor = seedFor
  }

  take(line: Line): void {
    this.#seeds ??= this.#firstSeeds(line)
    if (this.#fits(line)) return
    const end = this.#seamIn(line)
    if (end === undefined) return this.#pass(line)
    this.#fault(end)
    if (end + 1 === line.end) return
    this.take({ start: end + 1, end: line.end, text: this.#buffer.toString('utf8', end + 1, line.end) })
  }

  #firstSeeds({ text }: Line): readonly number[] {
    const record = recordOf(text)
    return record === undefined ? [] : [this.#seedFor(record.seq)]
  }

  /** Takes the line if it is a record that continues from what came before. */
  #fits(line: Line): boolean {
    const sum = shownSum(line.text)
    const record = sum === undefined ? undefined : recordOf(line.text)
    if (sum === undefined || record === undefined) return false
    const previous = this.#seeds?.find((seed) => this.#sumOf(line, seed) === sum)
    if (previous === undefined) return false
    if (this.#unproven?.record.sum === previous) this.found.push(this.#unproven)
    this.found.push({ record: { ...record, line: `${line.text}\n`, sum, previous }, start: line.start })
    if (this.unbroken === undefined) this.unbrokenEnd = line.end + 1
    this.#seeds = [sum]
    this.#unproven = undefined
    return true
  }

  /** Where a record ends that fits, if the line begins with one. */
  #seamIn({ start, text }: Line): number | undefined {
    for (const { index } of text.matchAll(seam)) {
      const piece = text.slice(0, index + 1)
      const end = start + Buffer.byteLength(piece)
      if (this.#fits({ start, end, text: piece })) return end
    }
    return undefined
  }

  #pass(line: Line): void {
    this.#fault(line.start)
    this.#noteDurable(line.text)
    // Too short to be anything.
    if (line.end - line.start <= sumLength) return
    const known = this.#seeds ?? []
    const sums = known.map((seed) => this.#sumOf(line, seed))
    this.#unproven = known.length === 1 ? mended(line, known[0] as number, sums[0] as number) : undefined
    this.#seeds = [...known, ...sums, shownSum(line.text) ?? []].flat().slice(-mostSeeds)
  }

  /** What a damaged record says was durable when it was written, where it still makes sense. */
  #noteDurable(text: string): void {
    const [, seq, durable] = (frame.exec(text) ?? []).map(Number)
    if (seq === undefined || durable === undefined || durable >= seq) return
    const before = this.found.at(-1)?.record.seq ?? seq - 1
    if (seq > before && seq <= before + this.faults.length) this.shownDurable = Math.max(this.shownDurable, durable)
  }

  #fault(at: number): void {
    this.faults.push(at)
    this.unbroken ??= this.found.length
  }

  #sumOf({ start, end }: Line, seed: number): number {
    return checksum(this.#buffer.subarray(start + sumLength, end), seed)
  }
}

const blank = Buffer.alloc(4096, '\n')

/** Where the newlines begin that a journal is filled with: most of it, and looked through in large steps. */
function usedEnd(buffer: Buffer): number {
  let end = buffer.length
  while (end >= blank.length && blank.compare(buffer, end - blank.length, end) === 0) end -= blank.length
  while (end > 0 && buffer[end - 1] === newline) end -= 1
  return end
}

/** The lines that are not empty. The last one may lack its newline. */
function* linesOf(buffer: Buffer): Generator<Line> {
  const used = usedEnd(buffer)
  let start = 0
  while (start < used) {
    if (buffer[start] === newline) {
      start += 1
      continue
    }
    const found = buffer.indexOf(newline, start)
    const end = found < 0 ? buffer.length : found
    yield { start, end, text: buffer.toString('utf8', start, end) }
    start = end + 1
  }
}

/** A line with the checksum that it should show. */
function mended({ start, text }: Line, previous: number, sum: number): Placed | undefined {
  const record = recordOf(text)
  const line = `["${hex(sum)}"${text.slice(sumLength)}\n`
  return record && { record: { ...record, line, sum, previous }, start }
}

function recordOf(text: string): JournalRecord | undefined {
  const match = fields.exec(text)
  if (match === null) return undefined
  const [, epoch, seq, durable, json] = match as unknown as [string, string, string, string, string]
  return { epoch: Number(epoch), seq: Number(seq), durable: Number(durable), json }
}

function shownSum(text: string): number | undefined {
  const match = shown.exec(text)
  return match === null ? undefined : Number.parseInt(match[1] as string, 16)
}
