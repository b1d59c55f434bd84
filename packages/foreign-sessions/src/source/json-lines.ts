import type { Records } from '../conversation/conversation.ts'
import { type Again, parsed, readAgain, textOf } from './again.ts'
import type { SourceFile } from './source-file.ts'

export interface JsonLine {
  /** Counted from 1. */
  readonly line: number
  readonly value: object
  /** Reads the same value from the file again. */
  readonly again: Again
}

/**
 * The JSON objects in the lines of a file, one at a time. Other lines are counted, an incomplete last line separately.
 */
export function* jsonLines(file: SourceFile, counts: Counts): Generator<JsonLine> {
  for (const { line, from, bytes, isLast } of lines(file)) {
    const text = textOf(bytes)
    if (text.trim() === '') continue
    counts.read += 1
    const value = parsed(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      yield { line, value, again: readAgain(file, from, bytes) }
    } else counts.skip(isLast ? 'cut last line' : 'not a JSON object')
  }
}

interface Line {
  readonly line: number
  readonly from: number
  /** Without the line break. */
  readonly bytes: Uint8Array
  /** The line has no line break after it. */
  readonly isLast: boolean
}

const lineBreak = 0x0a

/** Splits the bytes at line breaks before decoding: in UTF-8 the byte of a line break is in no other character. */
function* lines(file: SourceFile): Generator<Line> {
  let pieces: Uint8Array[] = []
  let line = 1
  let at = 0
  let start = 0
  for (const chunk of file.chunks()) {
    let from = 0
    for (let end = chunk.indexOf(lineBreak); end >= 0; end = chunk.indexOf(lineBreak, from)) {
      pieces.push(chunk.subarray(from, end))
      yield { line, from: start, bytes: joined(pieces), isLast: false }
      pieces = []
      line += 1
      from = end + 1
      start = at + from
    }
    if (from < chunk.length) pieces.push(new Uint8Array(chunk.subarray(from)))
    at += chunk.length
  }
  if (pieces.length > 0) yield { line, from: start, bytes: joined(pieces), isLast: true }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only = new Uint8Array(), ...others] = pieces
  return others.length === 0 ? only : Buffer.concat(pieces)
}

/** Counts records that are read and skipped. */
export class Counts {
  read = 0
  readonly #skipped = new Map<string, number>()

  skip(what: string, count = 1): void {
    if (count > 0) this.#skipped.set(what, (this.#skipped.get(what) ?? 0) + count)
  }

  records(): Records {
    const skipped = Object.fromEntries([...this.#skipped].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    const left = [...this.#skipped.values()].reduce((sum, count) => sum + count, 0)
    return { read: this.read, understood: Math.max(0, this.read - left), skipped }
  }
}
