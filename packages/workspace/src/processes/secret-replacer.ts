/** An input that contains this mark is refused: writing it would overwrite the secret that it stands for. */
const mark = Buffer.from('[secret:known]')

/** Shorter values are as likely to be ordinary words. */
export const shortestSecret = 8

/**
 * Replaces known secrets in a stream of bytes.
 *
 * 1. A secret is found however it is split over pieces: bytes that may begin one are held back until that is decided.
 * 2. Where two secrets overlap, the one that begins first is replaced; of two that begin together, the longer.
 * 3. All other bytes pass through unchanged and in order.
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

  /** The held-back bytes that turned out to be no secret. */
  finish(): Uint8Array {
    const bytes = this.#held
    return this.#replace(bytes, () => bytes.length)
  }

  /** The same for a complete text. */
  text(text: string): string {
    if (this.#secrets.length === 0) return text
    const before = this.count
    const replaced = Buffer.concat([this.add(Buffer.from(text)), this.finish()])
    return this.count === before ? text : replaced.toString('utf8')
  }

  /** Replaces all complete secrets before the position from which bytes are held back. */
  #replace(bytes: Buffer, holdFrom: (from: number) => number): Uint8Array {
    const pieces: Uint8Array[] = []
    let from = 0
    for (let found = this.#next(bytes, from); found !== undefined; found = this.#next(bytes, from)) {
      // A longer secret may begin here or earlier and not have arrived completely.
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

/** The start of the longest end of the bytes that is the beginning of a secret; their length if there is none. */
function heldFrom(bytes: Buffer, from: number, secrets: readonly Buffer[]): number {
  const longest = secrets[0]?.length ?? 0
  for (let at = Math.max(from, bytes.length - longest + 1); at < bytes.length; at += 1) {
    const end = bytes.subarray(at)
    if (secrets.some((secret) => secret.length > end.length && secret.subarray(0, end.length).equals(end))) return at
  }
  return bytes.length
}
