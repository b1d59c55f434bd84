import type { SeqRange } from '@loader/session-core'
import { hex, markedChecksum } from './checksum.ts'
import type { WrittenRecord } from './record.ts'
import { bufferOf, type JournalLine, linesOf, newline, usedEnd } from './journal-lines.ts'
import { fieldsAt, RecordInFile, shownFieldsAt, sumAt, sumLength } from './record-in-file.ts'
import { firstSeed } from './segment.ts'
import { leftByTornWrite, sector } from './torn-write.ts'

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
  /** The newest durable seq that one of those lines shows: not proven, but only a writer can have put it there. */
  readonly shownDurable: number
  /**
   * How many events stand behind the last record in lines that were written whole and do not check. 0 where such lines are
   * the rest of a write that did not finish.
   */
  readonly damagedBehind: number
  /** Where the newlines begin that fill the rest. */
  readonly end: number
  /** Where the first of those lines would begin, or the next record. */
  readonly unbrokenEnd: number
  /** Whether anything but records and newlines is in the file. */
  readonly hasDebris: boolean
  /** Set when the file does not end as any does that was made. */
  readonly truncated: boolean
  /** Whether the first record continues from a seed that is known, and not only from what a line before it shows. */
  readonly isAnchored: boolean
  /** Set when it was found to be none of this session: then nothing of it is given. */
  readonly isForeign: boolean
  /** The session that it is of instead, where that shows. */
  readonly otherSession: string | undefined
}

/** Journals are made in multiples of this; where a power cut stops growing, in sectors. */
export const journalUnit = 4 * 1024
/** Older versions made them in multiples of this, perhaps full to the last byte. */
const formerUnit = 64 * 1024

/** What marks the journals of a session: its first seed, or nothing in those of older versions. */
export function marksOf(id: string): readonly [mark: number, older: number] {
  return [firstSeed(id), 0]
}

/** Reads every record that checks. `seedFor` gives the checksum that a first record with this seq continues from. */
export function parseJournal(bytes: Uint8Array, mark: number, seedFor: (firstSeq: number) => number): JournalContent {
  const buffer = bufferOf(bytes)
  const firstSeq = firstShownSeq(buffer)
  const chain = new Chain(buffer, mark, firstSeq === undefined ? [] : [seedFor(firstSeq)])
  for (const line of linesOf(buffer)) chain.take(line)
  return {
    records: chain.records,
    unbroken: chain.unbroken ?? chain.records.length,
    offsets: chain.offsets,
    faults: chain.faults,
    shownDurable: chain.shownDurable,
    damagedBehind: damagedBehind(buffer, chain),
    end: usedEnd(buffer),
    unbrokenEnd: chain.unbrokenEnd,
    hasDebris: chain.faults.length > 0,
    truncated: isShort(buffer),
    isAnchored: chain.isAnchored,
    isForeign: false,
    otherSession: undefined,
  }
}

/** No record is shorter: it has a type, a seq and a time. */
const leastRecord = 64

/** How many events whole lines behind the last record stand for. */
function damagedBehind(buffer: Buffer, { records, offsets, faults }: Chain): number {
  const last = records.at(-1)
  const offset = offsets.at(-1) ?? -1
  if ((faults.at(-1) ?? -1) < offset) return 0
  const end = last === undefined ? 0 : Math.min(offset + last.size, buffer.length)
  const lines = [...linesOf(buffer)].filter(({ start }) => start >= end)
  if (leftByTornWrite(buffer, end, lines)) return 0
  // A byte that became a newline makes two lines of one.
  const texts = lines.map(({ start, end: until }) => buffer.toString('latin1', start, until))
  // A byte of what fills the journal that was hit is no record.
  if (!texts.some(({ length }) => length >= leastRecord)) return 0
  return texts.filter((text, index) => index === 0 || text.startsWith('["') || frame.test(text)).length
}

/** How many bytes stand where events were, between the record before them and the one behind; undefined for none. */
export function damagedBytes(
  { isForeign, records, offsets, end }: JournalContent,
  { first, last }: SeqRange,
): number | undefined {
  if (isForeign) return undefined
  const next = records.findIndex(({ seq }) => seq > last)
  const before = records.findLastIndex(({ seq }) => seq < first)
  const from = before < 0 ? 0 : (offsets[before] as number) + (records[before] as WrittenRecord).size
  const bytes = (next < 0 ? end : (offsets[next] as number)) - from
  return bytes > 0 ? bytes : undefined
}

/**
 * Whether a journal was cut off: behind the last record there is always filler, so whatever takes a byte of a record takes
 * all of that. Zeros are what growing leaves that a power cut stopped.
 */
function isShort(buffer: Buffer): boolean {
  let end = buffer.length
  while (end > 0 && buffer[end - 1] === 0) end -= 1
  const isFilled = end > 1 && buffer[end - 1] === newline && buffer[end - 2] === newline
  const isWhole = buffer.length > 0 && buffer.length % sector === 0
  return !isWhole || (!isFilled && buffer.length % formerUnit !== 0)
}

/** Whether a journal held records and was cut off: none is made empty, or ends like that. */
export function isCutOff(bytes: Uint8Array): boolean {
  return isShort(bufferOf(bytes)) && (bytes.length === 0 || bufferOf(bytes).toString('latin1', 0, 2) === '["')
}

/** Whether anything but newlines is in a journal. */
export function isUsed(journal: Uint8Array | undefined): journal is Uint8Array {
  return journal !== undefined && usedEnd(bufferOf(journal)) > 0
}

/** Where the journal begins, by the first line that still shows it. */
function firstShownSeq(buffer: Buffer): number | undefined {
  for (const { start, end } of linesOf(buffer)) {
    const fields = shownFieldsAt(buffer, start, end)
    if (fields !== undefined) return fields.seq
  }
  return undefined
}

interface Placed {
  readonly record: WrittenRecord
  readonly start: number
}

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
  isAnchored = false
  readonly #buffer: Buffer
  readonly #mark: number
  #seeds: readonly number[]
  /** Those of the seeds that follow from the given ones alone. They count until the first record is found. */
  #anchors: readonly number[]
  #unproven: Placed | undefined

  constructor(buffer: Buffer, mark: number, seeds: readonly number[]) {
    this.#buffer = buffer
    this.#mark = mark
    this.#seeds = seeds
    this.#anchors = seeds
  }

  take(line: JournalLine): void {
    if (this.#fits(line)) return
    const end = this.#seamIn(line)
    if (end === undefined) return this.#pass(line)
    this.#fault(end)
    if (end + 1 === line.end) return
    this.take({ start: end + 1, end: line.end })
  }

  /** Takes the line if it is a record that continues from what came before. */
  #fits(line: JournalLine): boolean {
    const { start, end } = line
    const sum = sumAt(this.#buffer, start, end)
    const fields = sum === undefined ? undefined : fieldsAt(this.#buffer, start, end)
    if (sum === undefined || fields === undefined) return false
    const previous = this.#seeds.find((seed) => this.#sumOf(line, seed) === sum)
    if (previous === undefined) return false
    if (this.#unproven?.record.sum === previous) this.#keep(this.#unproven)
    this.#keep({ record: new RecordInFile(this.#buffer, line, fields, { sum, previous, mark: this.#mark }), start })
    if (this.unbroken === undefined) this.unbrokenEnd = end + 1
    this.#seeds = [sum]
    this.#unproven = undefined
    return true
  }

  #keep({ record, start }: Placed): void {
    if (this.records.length === 0) this.isAnchored = this.#anchors.includes(record.previous)
    this.records.push(record)
    this.offsets.push(start)
  }

  /** Where a record ends that fits, if the line begins with one. */
  #seamIn(line: JournalLine): number | undefined {
    const text = this.#textOf(line)
    for (const { index } of text.matchAll(seam)) {
      const end = line.start + Buffer.byteLength(text.slice(0, index + 1))
      if (this.#fits({ start: line.start, end })) return end
    }
    return undefined
  }

  #pass(line: JournalLine): void {
    this.#fault(line.start)
    this.#noteDurable(line)
    // Too short to be anything.
    if (line.end - line.start <= sumLength) return
    const known = this.#seeds
    const sums = known.map((seed) => this.#sumOf(line, seed))
    this.#unproven = known.length === 1 ? this.#mended(line, known[0] as number, sums[0] as number) : undefined
    this.#seeds = [...known, ...sums, sumAt(this.#buffer, line.start, line.end) ?? []].flat().slice(-mostSeeds)
    this.#anchors = [...this.#anchors, ...this.#anchors.map((seed) => this.#sumOf(line, seed))].slice(-mostSeeds)
  }

  /** What a damaged record says was durable when it was written, where it still makes sense. */
  #noteDurable(line: JournalLine): void {
    const [, seq, durable] = (frame.exec(this.#textOf(line)) ?? []).map(Number)
    if (seq === undefined || durable === undefined || durable >= seq) return
    const before = this.records.at(-1)?.seq ?? seq - 1
    if (seq > before && seq <= before + this.faults.length) this.shownDurable = Math.max(this.shownDurable, durable)
  }

  /** A line with the checksum that it should show. */
  #mended({ start, end }: JournalLine, previous: number, sum: number): Placed | undefined {
    const line = Buffer.concat([Buffer.from(`["${hex(sum)}"`), this.#buffer.subarray(start + sumLength, end)])
    const place = { start: 0, end: line.length }
    const fields = fieldsAt(line, 0, line.length)
    return fields && { record: new RecordInFile(line, place, fields, { sum, previous, mark: this.#mark }), start }
  }

  #fault(at: number): void {
    this.faults.push(at)
    this.unbroken ??= this.records.length
  }

  #sumOf({ start, end }: JournalLine, seed: number): number {
    return markedChecksum(this.#buffer.subarray(start + sumLength, end), seed, this.#mark)
  }

  #textOf({ start, end }: JournalLine): string {
    return this.#buffer.toString('utf8', start, end)
  }
}
