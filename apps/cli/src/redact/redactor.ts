import { createHmac } from 'node:crypto'
import { secretSpellings } from '@loader/backends'
import { secretRules } from './rules.ts'

const shortestKnown = 8

/** Replaces secrets by marks. Equal secrets get equal marks, so that they can still be related. */
export class Redactor {
  readonly #key: Uint8Array
  /** Secrets by mark; two secrets never share one. */
  readonly #secrets = new Map<string, string>()

  readonly #known: readonly string[]

  /**
   * The key must be random and not stored, so that a mark cannot be reversed by guessing. Known secrets are replaced
   * whatever they look like.
   */
  constructor(key: Uint8Array, known: readonly string[] = []) {
    this.#key = key
    // A shorter one stands for "no key". A secret may be part of a longer one.
    const long = known.filter(({ length }) => length >= shortestKnown)
    this.#known = long.flatMap(secretSpellings).toSorted((a, b) => b.length - a.length)
  }

  /** The number of different secrets replaced so far. */
  get count(): number {
    return this.#secrets.size
  }

  text(text: string): string {
    let redacted = text
    for (const secret of this.#known) {
      if (redacted.includes(secret)) redacted = redacted.replaceAll(secret, this.#markOf('credential', secret))
    }
    for (const { kind, pattern } of secretRules) {
      redacted = redacted.replace(pattern, (secret) => (isMark(secret) ? secret : this.#markOf(kind, secret)))
    }
    return redacted
  }

  /** Replaces secrets in every string of a value. Names of fields stay. */
  value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value)
    if (Array.isArray(value)) return value.map((item) => this.value(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.value(item)]))
  }

  #markOf(kind: string, secret: string): string {
    const hash = createHmac('sha256', this.#key).update(secret).digest('hex')
    for (let length = 4; ; length += 2) {
      const mark = `[secret:${kind}:${hash.slice(0, length)}]`
      const taken = this.#secrets.get(mark)
      if (taken !== undefined && taken !== secret) continue
      this.#secrets.set(mark, secret)
      return mark
    }
  }
}

function isMark(text: string): boolean {
  return text.includes('[secret:')
}
