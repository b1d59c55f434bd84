import { parsed, textOf } from './again.ts'
import type { SourceFile } from './source-file.ts'

/** A field of a document. A list field is passed as one part per item, and then the empty list. */
export interface DocumentPart {
  readonly name: string
  readonly what: 'value' | 'list' | 'item'
  readonly bytes: Uint8Array
}

/**
 * Reads the JSON object of a file part by part, so that it is never in memory as a whole. Stops when `take` returns
 * false, or at invalid JSON. Returns whether the file is one object and was read completely.
 */
export function readDocument(file: SourceFile, take: (part: DocumentPart) => boolean): boolean {
  const scanner = new Scanner(take)
  for (const chunk of file.chunks()) if (!scanner.read(chunk)) return false
  return scanner.isAtEnd
}

const code = (character: string) => character.charCodeAt(0)
const [quote, backslash, comma, colon] = ['"', '\\', ',', ':'].map(code)
const [openBrace, closeBrace, openBracket, closeBracket] = ['{', '}', '[', ']'].map(code)
const blank = /^[\s\ufeff]*$/

type Place = 'before' | 'name' | 'value' | 'items' | 'behind list' | 'end'

/** Looks only at the structure; the text between two marks is parsed by `JSON.parse`. */
class Scanner {
  readonly #take: (part: DocumentPart) => boolean
  #place: Place = 'before'
  #name = ''
  #fields = 0
  #items = 0
  /** The nesting depth within the part. */
  #depth = 0
  #string: 'none' | 'open' | 'escape' = 'none'
  #pieces: Uint8Array[] = []

  constructor(take: (part: DocumentPart) => boolean) {
    this.#take = take
  }

  get isAtEnd(): boolean {
    return this.#place === 'end' && this.#isBlank(new Uint8Array())
  }

  /** False as soon as the file is known not to be such a document. */
  read(chunk: Uint8Array): boolean {
    let from = 0
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number
      if (this.#string === 'escape') this.#string = 'open'
      else if (this.#string === 'open') {
        if (byte === backslash) this.#string = 'escape'
        else if (byte === quote) this.#string = 'none'
      } else if (byte === quote) this.#string = 'open'
      else if (this.#isMark(byte)) {
        if (!this.#mark(byte, chunk.subarray(from, at))) return false
        from = at + 1
      }
    }
    this.#pieces.push(new Uint8Array(chunk.subarray(from)))
    // More text after an object means a file of lines, so the rest need not be read.
    return this.#place !== 'end' || this.#isBlank(new Uint8Array())
  }

  /** Whether a part begins or ends here; nesting is counted. */
  #isMark(byte: number): boolean {
    if (this.#place === 'before' || this.#place === 'name' || this.#place === 'behind list' || this.#place === 'end') {
      return byte === openBrace || byte === closeBrace || byte === comma || byte === colon
    }
    if (byte === openBrace || byte === openBracket) {
      const isList = this.#place === 'value' && this.#depth === 0 && byte === openBracket
      if (!isList) this.#depth += 1
      return isList
    }
    if ((byte === closeBrace || byte === closeBracket) && this.#depth > 0) {
      this.#depth -= 1
      return false
    }
    return this.#depth === 0 && (byte === comma || byte === closeBrace || byte === closeBracket)
  }

  #mark(byte: number, rest: Uint8Array): boolean {
    switch (this.#place) {
      case 'before':
        this.#place = 'name'
        return byte === openBrace && this.#isBlank(rest)
      case 'name':
        return byte === colon ? this.#named(rest) : this.#ended(byte, this.#fields === 0 && this.#isBlank(rest))
      case 'value':
        if (byte !== openBracket) {
          return this.#ended(byte, this.#take({ name: this.#name, what: 'value', bytes: this.#collected(rest) }))
        }
        this.#place = 'items'
        this.#items = 0
        return this.#isBlank(rest) && this.#take({ name: this.#name, what: 'list', bytes: new Uint8Array() })
      case 'items':
        return this.#item(byte, rest)
      case 'behind list':
        return this.#ended(byte, this.#isBlank(rest))
      case 'end':
        return false
      default:
        return this.#place satisfies never
    }
  }

  #named(rest: Uint8Array): boolean {
    const name = parsed(textOf(this.#collected(rest)))
    this.#place = 'value'
    this.#fields += 1
    if (typeof name === 'string') this.#name = name
    return typeof name === 'string'
  }

  #item(byte: number, rest: Uint8Array): boolean {
    if (byte === closeBracket) this.#place = 'behind list'
    else if (byte !== comma) return false
    const bytes = this.#collected(rest)
    if (byte === closeBracket && this.#items === 0 && isBlank(bytes)) return true
    this.#items += 1
    return this.#take({ name: this.#name, what: 'item', bytes })
  }

  #ended(byte: number, isSound: boolean): boolean {
    if (byte === comma) this.#place = 'name'
    else if (byte === closeBrace) this.#place = 'end'
    else return false
    // A comma must be followed by a name.
    return isSound && !(byte === comma && this.#fields === 0)
  }

  #collected(rest: Uint8Array): Uint8Array {
    const bytes = this.#pieces.length === 0 ? rest : Buffer.concat([...this.#pieces, rest])
    this.#pieces = []
    return bytes
  }

  /** Whether there is only white space since the last mark. */
  #isBlank(rest: Uint8Array): boolean {
    return isBlank(this.#collected(rest))
  }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.length < 64 * 1024 && blank.test(textOf(bytes))
}
