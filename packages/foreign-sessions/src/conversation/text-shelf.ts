import { createHash } from 'node:crypto'
import { excerptOf, isLong, type StoredText } from '@loader/session-core'
import { Boxes } from './boxes.ts'

/** Texts below this length stay where they are: something in their place would be as large. */
const shortest = 256

/**
 * Texts of a session that is being imported, outside of the heap and folded small: there they cost a part of their size
 * once, however many events and messages tell of them, and nothing is kept free beside them.
 *
 * Invariant: an event or a state with texts of a shelf is written as JSON exactly like the same one with the texts
 * themselves. Only those that belong among the blobs of a session are references there as well.
 */
export class TextShelf {
  readonly #long = new Map<string, () => string>()
  readonly #boxes = new Boxes()

  /** What stands for the text in items, events and states. */
  put(text: StoredText): StoredText {
    if (typeof text !== 'string' || text.length < shortest || !isFitForBytes(text) || text.trim() === '') return text
    const excerpt = ownCopy(excerptOf(text))
    const bytes = Buffer.from(text)
    const get = this.#boxes.put(bytes)
    if (!isLong(text)) return new ShelvedText(get, bytes.length, excerpt)
    // The same text twice is one.
    const blob = `text ${createHash('sha256').update(bytes).digest('hex')}`
    this.#long.set(blob, get)
    return { blob, bytes: bytes.length, excerpt }
  }

  /** Texts for the blobs of the session, each made when it is asked for. */
  *blobs(): Generator<readonly [name: string, text: string]> {
    for (const [blob, get] of this.#long) yield [blob, get()]
  }
}

/** Looks like a text that is kept elsewhere, and is the text itself wherever it is written. */
class ShelvedText {
  readonly blob = 'shelf'
  readonly bytes: number
  readonly excerpt: string
  readonly #get: () => string

  constructor(get: () => string, bytes: number, excerpt: string) {
    this.#get = get
    this.bytes = bytes
    this.excerpt = excerpt
  }

  toJSON(): string {
    return this.#get()
  }
}

/** The text where it is at hand, on a shelf or not. */
export function textAtHand(text: StoredText): string | undefined {
  if (typeof text === 'string') return text
  return text instanceof ShelvedText ? text.toJSON() : undefined
}

/** The value with its texts in it, and not on a shelf. */
export function offShelf<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value
}

export function isShelved(value: object): boolean {
  return value instanceof ShelvedText
}

/** A piece of a text holds the whole of it in memory. */
function ownCopy(piece: string): string {
  return Buffer.from(piece).toString('utf8')
}

/** Half a surrogate pair is nothing that UTF-8 can hold. */
function isFitForBytes(text: string): boolean {
  return !/\p{Surrogate}/u.test(text)
}
