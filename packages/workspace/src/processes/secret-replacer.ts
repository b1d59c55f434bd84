/** An input that holds it is refused: the secret that it stands for would be overwritten. */
const mark = Buffer.from('[secret:known]')

/** Shorter values are ordinary words as often as secrets. */
export const shortestSecret = 8

/**
 * Replaces known secrets in a stream of bytes.
 *
 * 1. A secret is found however it is split over pieces: what could begin one is held back until that shows.
 * 2. Where two secrets overlap, the one that begins first counts; of two that begin together, the longer.
 * 3. No byte of anything else is lost, added or reordered.
 */
export class SecretReplacer {
  readonly #secrets: readonly Buffer[]
  #held = Buffer.alloc(0)
  count = 0

  constructor(secrets: readonly string[]) {
    const long = new Set(secrets.filter((secret) => Buffer.byteLength(secret) >= shortestSecret))
    this.#secrets = [...long].map((secret) => Buffer.from(secret)).sort((a, b) => b.length - a.length)
  }

  add(chunk: Uint8Array): Uint8Array {
    if (this.#secrets.length === 0) return chunk
    const bytes = Buffer.concat([this.#held, chunk])
    return this.#replace(bytes, (from) => heldFrom(bytes, from, this.#secrets))
  }

  /** What was held back and became no secret. */
  finish(): Uint8Array {
    const bytes = this.#held
    return this.#replace(bytes, () => bytes.length)
  }

  /** The same for a text that is whole. */
  text(text: string): string {
    if (this.#secrets.length === 0) return text
    const before = this.count
    const replaced = Buffer.concat([this.add(Buffer.from(text)), this.finish()])
    return this.count === before ? text : replaced.toString('utf8')
  }

  /** Replaces all whole secrets before the place from which on bytes are held back. */
  #replace(bytes: Buffer, holdFrom: (from: number) => number): Uint8Array {
    const pieces: Uint8Array[] = []
    let from = 0
    for (let found = this.#next(bytes, from); found !== undefined; found = this.#next(bytes, from)) {
      // A longer secret may begin before this one, or together with it, and not have arrived whole.
      if (holdFrom(from) <= found.at) break
      pieces.push(bytes.subarray(from, found.at), mark)
      from = found.at + found.length
      this.count += 1
    }
    const end = Math.max(from, holdFrom(from))
    pieces.push(bytes.subarray(from, end))
    this.#held = Buffer.from(bytes.subarray(end))
    return Buffer.concat(pieces)
  }

  #next(bytes: Buffer, from: number): { readonly at: number; readonly length: number } | undefined {
    let first: { at: number; length: number } | undefined
    for (const secret of this.#secrets) {
      const at = bytes.indexOf(secret, from)
      if (at !== -1 && (first === undefined || at < first.at)) first = { at, length: secret.length }
    }
    return first
  }
}

/** Where the longest end of the bytes begins that is the beginning of some secret; their length when none is. */
function heldFrom(bytes: Buffer, from: number, secrets: readonly Buffer[]): number {
  const longest = secrets[0]?.length ?? 0
  for (let at = Math.max(from, bytes.length - longest + 1); at < bytes.length; at += 1) {
    const end = bytes.subarray(at)
    if (secrets.some((secret) => secret.length > end.length && secret.subarray(0, end.length).equals(end))) return at
  }
  return bytes.length
}
