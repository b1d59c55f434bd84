import { createHash } from 'node:crypto'
import { excerptOf, isLong, type StoredText } from '@loader/session-core'
import { Boxes } from './boxes.ts'

/** Shorter texts are not moved: a reference would take as much memory. */
const shortest = 256

/**
 * Keeps the texts of an imported session compressed and outside of the heap. There each text takes a part of its size,
 * and only once, however many events and messages refer to it.
 *
 * Invariant: an event or a state with shelved texts is written as JSON exactly like one with the texts themselves. Only
 * texts that belong in the session's blobs are references in JSON too.
 */
export class TextShelf {
  readonly #long = new Map<string, () => string>()
  readonly #boxes = new Boxes()

  /** The stand-in for a text in items, events and states. */
  put(text: StoredText): StoredText {
    if (typeof text !== 'string' || text.length < shortest || !isFitForBytes(text) || text.trim() === '') return text
    const excerpt = ownCopy(excerptOf(text))
    const bytes = Buffer.from(text)
    const get = this.#boxes.put(bytes)
    if (!isLong(text)) return new ShelvedText(get, bytes.length, excerpt)
    // Equal texts are stored once.
    const blob = `text ${createHash('sha256').update(bytes).digest('hex')}`
    this.#long.set(blob, get)
    return { blob, bytes: bytes.length, excerpt }
  }

  /** The texts for the blobs of the session, each created when it is requested. */
  *blobs(): Generator<readonly [name: string, text: string]> {
    for (const [blob, get] of this.#long) yield [blob, get()]
  }
}

/** A stand-in that looks like a stored text, and becomes the text itself when it is serialised. */
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

/** The text if it can be read here, shelved or not; undefined if it is in a blob of the source. */
export function textAtHand(text: StoredText): string | undefined {
  if (typeof text === 'string') return text
  return text instanceof ShelvedText ? text.toJSON() : undefined
}

/** The value with shelved texts replaced by the texts themselves. */
export function offShelf<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value
}

export function isShelved(value: object): boolean {
  return value instanceof ShelvedText
}

/** Copies a piece of a text, because otherwise it keeps the whole text in memory. */
function ownCopy(piece: string): string {
  return Buffer.from(piece).toString('utf8')
}

/** False with an unpaired surrogate, which UTF-8 cannot encode. */
function isFitForBytes(text: string): boolean {
  return !/\p{Surrogate}/u.test(text)
}
