import type { WrittenRecord } from './record.ts'

/** What stands before the first comma. */
export const sumLength = '["00000000"'.length

/** What a line says that has the form of a record. */
export interface RecordFields {
  readonly epoch: number
  readonly seq: number
  readonly durable: number
  /** Where the event begins. */
  readonly json: number
}

/** Looks at the bytes themselves: a claim goes through all records of a journal, and needs the text of few. */
export function fieldsAt(bytes: Uint8Array, start: number, end: number): RecordFields | undefined {
  return bytes[end - 1] === closing ? shownFieldsAt(bytes, start, end) : undefined
}

/** The same, also where the end of the line is damaged. */
export function shownFieldsAt(bytes: Uint8Array, start: number, end: number): RecordFields | undefined {
  const epoch = numberBehind(bytes, start + sumLength, end)
  const seq = epoch && numberBehind(bytes, epoch.end, end)
  const durable = seq && numberBehind(bytes, seq.end, end)
  if (epoch === undefined || seq === undefined || durable === undefined) return undefined
  if (bytes[durable.end] !== comma) return undefined
  return { epoch: epoch.value, seq: seq.value, durable: durable.value, json: durable.end + 1 }
}

/** The checksum that a line shows. */
export function sumAt(bytes: Uint8Array, start: number, end: number): number | undefined {
  const last = start + sumLength - 1
  if (last >= end || bytes[start] !== opening || bytes[start + 1] !== quote || bytes[last] !== quote) return undefined
  let sum = 0
  for (let at = start + 2; at < last; at += 1) {
    const digit = hexDigits[bytes[at] as number]
    if (digit === undefined) return undefined
    sum = sum * 16 + digit
  }
  return sum
}

/** A record, as the bytes between two places of a file. Its text is decoded only when it is asked for. */
export class RecordInFile implements WrittenRecord {
  readonly epoch: number
  readonly seq: number
  readonly durable: number
  readonly sum: number
  readonly previous: number
  readonly mark: number
  readonly #bytes: Uint8Array
  readonly #start: number
  readonly #json: number
  readonly #end: number

  constructor(
    bytes: Uint8Array,
    { start, end }: { readonly start: number; readonly end: number },
    { epoch, seq, durable, json }: RecordFields,
    { sum, previous, mark }: { readonly sum: number; readonly previous: number; readonly mark: number },
  ) {
    this.epoch = epoch
    this.seq = seq
    this.durable = durable
    this.sum = sum
    this.previous = previous
    this.mark = mark
    this.#bytes = bytes
    this.#start = start
    this.#json = json
    this.#end = end
  }

  get json(): string {
    const { buffer, byteOffset } = this.#bytes
    return Buffer.from(buffer, byteOffset + this.#json, this.#end - 1 - this.#json).toString('utf8')
  }

  get line(): Uint8Array {
    return this.#bytes.subarray(this.#start, this.#end)
  }

  get size(): number {
    return this.#end - this.#start + 1
  }
}

const opening = '['.charCodeAt(0)
const closing = ']'.charCodeAt(0)
const quote = '"'.charCodeAt(0)
const comma = ','.charCodeAt(0)
const zero = '0'.charCodeAt(0)
/** What each digit counts, by its character. */
const hexDigits: readonly (number | undefined)[] = Array.from({ length: 256 }, (_unused, character) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(character))
  return digit < 0 ? undefined : digit
})

/** The number between a comma and whatever follows its digits. */
function numberBehind(bytes: Uint8Array, at: number, end: number): { value: number; end: number } | undefined {
  if (bytes[at] !== comma) return undefined
  let value = 0
  let digit = at + 1
  for (; digit < end; digit += 1) {
    const next = (bytes[digit] as number) - zero
    if (next < 0 || next > 9) break
    value = value * 10 + next
  }
  return digit === at + 1 ? undefined : { value, end: digit }
}
