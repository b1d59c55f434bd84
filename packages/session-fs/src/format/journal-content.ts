import { checksum, hex } from './checksum.ts'
import type { WrittenRecord } from './record.ts'
import { fieldsAt, RecordInFile, sumAt, sumLength } from './record-in-file.ts'

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
  const buffer = bufferOf(bytes)
  const chain = new Chain(buffer, seedFor)
  for (const line of linesOf(buffer)) chain.take(line)
  return {
    records: chain.records,
    unbroken: chain.unbroken ?? chain.records.length,
    offsets: chain.offsets,
    faults: chain.faults,
    shownDurable: chain.shownDurable,
    unbrokenEnd: chain.unbrokenEnd,
    hasDebris: chain.faults.length > 0,
    truncated: buffer.length === 0 || buffer.length % journalUnit !== 0,
  }
}

/** Whether anything but newlines is in a journal. */
export function isUsed(journal: Uint8Array | undefined): journal is Uint8Array {
  return journal !== undefined && usedEnd(bufferOf(journal)) > 0
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** Where a line begins, and where it ends, without its newline. */
interface Line {
  readonly start: number
  readonly end: number
}

interface Placed {
  readonly record: WrittenRecord
  readonly start: number
}

const newline = 10
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
  readonly records: WrittenRecord[] = []
  readonly offsets: number[] = []
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
    this.take({ start: end + 1, end: line.end })
  }

  #firstSeeds({ start, end }: Line): readonly number[] {
    const first = fieldsAt(this.#buffer, start, end)
    return first === undefined ? [] : [this.#seedFor(first.seq)]
  }

  /** Takes the line if it is a record that continues from what came before. */
  #fits(line: Line): boolean {
    const { start, end } = line
    const sum = sumAt(this.#buffer, start, end)
    const fields = sum === undefined ? undefined : fieldsAt(this.#buffer, start, end)
    if (sum === undefined || fields === undefined) return false
    const previous = this.#seeds?.find((seed) => this.#sumOf(line, seed) === sum)
    if (previous === undefined) return false
    if (this.#unproven?.record.sum === previous) this.#keep(this.#unproven)
    this.#keep({ record: new RecordInFile(this.#buffer, line, fields, { sum, previous }), start })
    if (this.unbroken === undefined) this.unbrokenEnd = end + 1
    this.#seeds = [sum]
    this.#unproven = undefined
    return true
  }

  #keep({ record, start }: Placed): void {
    this.records.push(record)
    this.offsets.push(start)
  }

  /** Where a record ends that fits, if the line begins with one. */
  #seamIn(line: Line): number | undefined {
    const text = this.#textOf(line)
    for (const { index } of text.matchAll(seam)) {
      const end = line.start + Buffer.byteLength(text.slice(0, index + 1))
      if (this.#fits({ start: line.start, end })) return end
    }
    return undefined
  }

  #pass(line: Line): void {
    this.#fault(line.start)
    this.#noteDurable(line)
    // Too short to be anything.
    if (line.end - line.start <= sumLength) return
    const known = this.#seeds ?? []
    const sums = known.map((seed) => this.#sumOf(line, seed))
    this.#unproven = known.length === 1 ? this.#mended(line, known[0] as number, sums[0] as number) : undefined
    this.#seeds = [...known, ...sums, sumAt(this.#buffer, line.start, line.end) ?? []].flat().slice(-mostSeeds)
  }

  /** What a damaged record says was durable when it was written, where it still makes sense. */
  #noteDurable(line: Line): void {
    const [, seq, durable] = (frame.exec(this.#textOf(line)) ?? []).map(Number)
    if (seq === undefined || durable === undefined || durable >= seq) return
    const before = this.records.at(-1)?.seq ?? seq - 1
    if (seq > before && seq <= before + this.faults.length) this.shownDurable = Math.max(this.shownDurable, durable)
  }

  /** A line with the checksum that it should show. */
  #mended({ start, end }: Line, previous: number, sum: number): Placed | undefined {
    const line = Buffer.concat([Buffer.from(`["${hex(sum)}"`), this.#buffer.subarray(start + sumLength, end)])
    const place = { start: 0, end: line.length }
    const fields = fieldsAt(line, 0, line.length)
    return fields && { record: new RecordInFile(line, place, fields, { sum, previous }), start }
  }

  #fault(at: number): void {
    this.faults.push(at)
    this.unbroken ??= this.records.length
  }

  #sumOf({ start, end }: Line, seed: number): number {
    return checksum(this.#buffer.subarray(start + sumLength, end), seed)
  }

  #textOf({ start, end }: Line): string {
    return this.#buffer.toString('utf8', start, end)
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
    yield { start, end }
    start = end + 1
  }
}
