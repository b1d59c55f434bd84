import { closeSync, fstatSync, openSync, readdirSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../paths/system-errors.ts'

/** The output of a command is kept in pieces of this size: the first, and the latest. */
const pieceBytes = 1024 * 1024
const latestPieces = 7

/** A part of the output of a background command. Offsets count the bytes that it has printed. */
export interface OutputPart {
  readonly text: string
  /** Where the text begins: behind what was asked for, if that is not kept any more. */
  readonly from: number
  readonly next: number
  readonly total: number
  /** How many bytes that were asked for are not kept any more. */
  readonly cut: number
}

/** Writes the output of a command, of any length, into files of a bounded size. They stay when it has ended. */
export class OutputFile {
  readonly #folder: string
  #descriptor: number | undefined
  #length = 0
  #inPiece = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  get bytes(): number {
    return this.#length
  }

  add(text: string): void {
    let bytes = Buffer.from(text)
    while (bytes.length > 0) {
      if (this.#descriptor === undefined || this.#inPiece >= pieceBytes) this.#turnOver()
      const part = bytes.subarray(0, pieceBytes - this.#inPiece)
      if (this.#descriptor !== undefined) writeSync(this.#descriptor, part)
      this.#length += part.length
      this.#inPiece += part.length
      bytes = bytes.subarray(part.length)
    }
  }

  end(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }

  #turnOver(): void {
    this.end()
    this.#descriptor = openSync(join(this.#folder, `out-${String(this.#length).padStart(15, '0')}`), 'ax', 0o600)
    this.#inPiece = 0
    for (const { name } of piecesIn(this.#folder).slice(1, -latestPieces))
      rmSync(join(this.#folder, name), { force: true })
  }
}

interface Piece {
  readonly name: string
  readonly from: number
}

function piecesIn(folder: string): readonly Piece[] {
  return readdirSync(folder)
    .flatMap((name) => (/^out-\d{15}$/.test(name) ? [{ name, from: Number(name.slice(4)) }] : []))
    .toSorted((a, b) => a.from - b.from)
}

/** How much was printed, kept or not. */
export function outputLength(folder: string): number {
  const last = piecesIn(folder).at(-1)
  return last === undefined ? 0 : last.from + sizeOf(join(folder, last.name))
}

/** Reads from an offset; a negative one counts from the end. */
export function readOutput(folder: string, offset: number, most: number): OutputPart {
  const pieces = piecesIn(folder)
  const total = outputLength(folder)
  const wanted = Math.min(total, offset < 0 ? Math.max(0, total + offset) : offset)
  const parts: Buffer[] = []
  let from = wanted
  let place = wanted
  let left = most
  for (const [index, piece] of pieces.entries()) {
    const end = piece.from + sizeOf(join(folder, piece.name))
    if (end <= place || left === 0) continue
    if (piece.from > place) {
      // What lies between is not kept. Before anything was read, the text begins behind it; after that, it ends here.
      if (parts.length > 0) break
      from = piece.from
      place = piece.from
    }
    const bytes = bytesOf(join(folder, piece.name), place - piece.from, Math.min(left, end - place))
    parts.push(bytes)
    place += bytes.length
    left -= bytes.length
    if (pieces[index + 1]?.from !== place) break
  }
  const bytes = Buffer.concat(parts)
  const start = from > 0 ? startOfCharacter(bytes) : 0
  const stop = place < total ? endOfCharacters(bytes) : bytes.length
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start, Math.max(start, stop)))
  return { text, from: from + start, next: from + Math.max(start, stop), total, cut: from - wanted }
}

function sizeOf(path: string): number {
  return withFile(path, (descriptor) => fstatSync(descriptor).size) ?? 0
}

function bytesOf(path: string, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  const read = withFile(path, (descriptor) => readSync(descriptor, bytes, 0, length, from)) ?? 0
  return bytes.subarray(0, read)
}

/** Undefined when the piece was given up meanwhile. */
function withFile<Result>(path: string, work: (descriptor: number) => Result): Result | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, 'r')
    return work(descriptor)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

function startOfCharacter(bytes: Uint8Array): number {
  let start = 0
  while (start < Math.min(3, bytes.length) && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1
  return start
}

/** Without the beginning of a character whose rest comes later. */
function endOfCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes.length
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return back < length ? bytes.length - back : bytes.length
    }
  }
  return bytes.length
}
