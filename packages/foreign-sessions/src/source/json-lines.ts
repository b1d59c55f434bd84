import type { Records } from '../conversation/conversation.ts'
import type { SourceFile } from './source-file.ts'

export interface JsonLine {
  /** Counted from 1. */
  readonly line: number
  readonly value: object
}

/** The lines of a file that are JSON objects, one at a time. What is not is counted, a cut last line apart. */
export function* jsonLines(file: SourceFile, counts: Counts): Generator<JsonLine> {
  for (const { line, text, isLast } of textLines(file)) {
    if (text.trim() === '') continue
    counts.read += 1
    const value = parsed(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) yield { line, value }
    else counts.skip(isLast ? 'cut last line' : 'not a JSON object')
  }
}

interface TextLine {
  readonly line: number
  readonly text: string
  /** It has no line break behind it. */
  readonly isLast: boolean
}

const lineBreak = 0x0a

/** Bytes are decoded line by line: a line break is never a part of another character. */
function* textLines(file: SourceFile): Generator<TextLine> {
  let pieces: Uint8Array[] = []
  let line = 1
  for (const chunk of file.chunks()) {
    let from = 0
    for (let end = chunk.indexOf(lineBreak); end >= 0; end = chunk.indexOf(lineBreak, from)) {
      pieces.push(chunk.subarray(from, end))
      yield { line, text: decoded(pieces, line), isLast: false }
      pieces = []
      line += 1
      from = end + 1
    }
    if (from < chunk.length) pieces.push(new Uint8Array(chunk.subarray(from)))
  }
  if (pieces.length > 0) yield { line, text: decoded(pieces, line), isLast: true }
}

function decoded(pieces: readonly Uint8Array[], line: number): string {
  const [only = new Uint8Array(), ...others] = pieces
  const { buffer, byteOffset, length } = others.length === 0 ? only : Buffer.concat(pieces)
  const text = Buffer.from(buffer, byteOffset, length).toString('utf8')
  return line === 1 ? text.replace(/^\ufeff/, '') : text
}

/** Counts what is read and what is left out. */
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

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
