import { createHash } from 'node:crypto'

/** How many bytes of an output are kept from its beginning and its end. Those in between are only counted. */
export interface OutputCap {
  readonly headBytes: number
  readonly tailBytes: number
}

/** Keeps the beginning, the end and a digest of an output of any length in bounded memory. */
export class KeptOutput {
  readonly #cap: OutputCap
  readonly #hash = createHash('sha256')
  readonly #head: Uint8Array[] = []
  #headLength = 0
  /** A ring: the next byte goes to `#length` modulo its size, counted from the end of the head. */
  #tail: Uint8Array | undefined
  #length = 0

  constructor(cap: OutputCap) {
    this.#cap = cap
  }

  add(chunk: Uint8Array): void {
    this.#hash.update(chunk)
    const toHead = Math.min(chunk.length, this.#cap.headBytes - this.#headLength)
    if (toHead > 0) this.#head.push(chunk.slice(0, toHead))
    this.#headLength += toHead
    if (toHead < chunk.length) this.#addToTail(chunk.subarray(toHead))
  }

  #addToTail(chunk: Uint8Array): void {
    const size = this.#cap.tailBytes
    this.#tail ??= new Uint8Array(size)
    const last = chunk.subarray(Math.max(0, chunk.length - size))
    const start = (this.#length + chunk.length - last.length) % size
    const untilEnd = Math.min(last.length, size - start)
    this.#tail.set(last.subarray(0, untilEnd), start)
    this.#tail.set(last.subarray(untilEnd), 0)
    this.#length += chunk.length
  }

  get bytes(): number {
    return this.#headLength + this.#length
  }

  get cutBytes(): number {
    return Math.max(0, this.#length - this.#cap.tailBytes)
  }

  /** SHA-256 of the whole output. May be called once, at the end. */
  digest(): string {
    return `sha256:${this.#hash.digest('hex')}`
  }

  text(): string {
    if (this.cutBytes === 0) return decode(Buffer.concat([...this.#head, this.#lastBytes()]))
    const head = Buffer.concat(this.#head)
    const tail = this.#lastBytes()
    const headEnd = startOfCharacter(head, head.length)
    const tailStart = endOfCharacter(tail)
    const cut = this.cutBytes + (head.length - headEnd) + tailStart
    const note = `[… ${cut.toLocaleString('en-US')} bytes were cut here …]`
    return `${decode(head.subarray(0, headEnd))}\n${note}\n${decode(tail.subarray(tailStart))}`
  }

  #lastBytes(): Uint8Array {
    if (this.#tail === undefined) return new Uint8Array()
    const size = this.#cap.tailBytes
    if (this.#length <= size) return this.#tail.subarray(0, this.#length)
    const oldest = this.#length % size
    return Buffer.concat([this.#tail.subarray(oldest), this.#tail.subarray(0, oldest)])
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

/** Where the last character begins, if it may be incomplete. */
function startOfCharacter(bytes: Uint8Array, end: number): number {
  for (let back = 1; back <= Math.min(4, end); back += 1) {
    const byte = bytes[end - back] ?? 0
    if (byte < 0x80) return end
    if (byte >= 0xc0) return back < charLength(byte) ? end - back : end
  }
  return end
}

/** Where the first whole character begins. */
function endOfCharacter(bytes: Uint8Array): number {
  let start = 0
  while (start < Math.min(3, bytes.length) && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1
  return start
}

function charLength(first: number): number {
  return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
}
