import { parseState, SessionSnapshot, type SessionState, stateVersion } from '@loader/session-core'
import { checksum, combined, hex } from './checksum.ts'
import { longPieces, WrittenList } from './written-list.ts'

/** How a snapshot fits the files beside it. */
export type SnapshotStore = SessionSnapshot['store']

const pieceBytes = 64 * 1024

/**
 * Makes documents of the states of one session: a line for each field, and one for each message, entry and item, so that
 * they can be read. What was written for the document before is not made again.
 */
export class SnapshotText {
  readonly #lists = new Map<string, WrittenList>()
  readonly #values = new Map<string, { readonly value: unknown; readonly text: string }>()

  /** What is an object and is the same one has the same text. */
  #textOf(key: string, value: unknown): string {
    const known = this.#values.get(key)
    if (known !== undefined && known.value === value) return known.text
    const text = JSON.stringify(value)
    if (typeof value === 'object' && value !== null && text.length < pieceBytes) this.#values.set(key, { value, text })
    return text
  }

  /** The document, in pieces that hold until the next one is asked for: a long one is never in memory as a whole. */
  *pieces(state: SessionState, store: SnapshotStore): Generator<Uint8Array> {
    const fields = { ...state, pendingInput: state.turn?.pending ?? null, store }
    yield* joined(this.#partsOf(fields))
  }

  *#partsOf(fields: object): Generator<Part> {
    let text = '{'
    for (const [key, value] of Object.entries(fields)) {
      text += `\n${JSON.stringify(key)}: `
      if (!isList(value)) text += `${this.#textOf(key, value)},`
      else {
        const items = [...value]
        if (items.length === 0) text += '[],'
        else {
          yield { bytes: Buffer.from(`${text}[`) }
          yield* this.#itemsOf(key, items)
          text = '\n],'
        }
      }
    }
    yield { bytes: Buffer.from(text.slice(0, -1)) }
  }

  *#itemsOf(key: string, items: readonly unknown[]): Generator<Part> {
    const list = this.#lists.get(key) ?? new WrittenList()
    this.#lists.set(key, list)
    const written = list.take(items)
    if (written !== undefined) yield written
    else for (const bytes of longPieces(items)) yield { bytes }
  }
}

interface Part {
  readonly bytes: Uint8Array
  /** The checksum of these bytes alone, where it is known. */
  readonly sum?: number
}

/** Long enough to be written as it is. A short part goes into a piece with others: each piece costs a call to the system. */
const longPart = pieceBytes / 4
const roomForSum = 64

/** The parts in pieces, and the checksum of all of them behind the last. */
function* joined(parts: Iterable<Part>): Generator<Uint8Array> {
  const piece = Buffer.allocUnsafe(pieceBytes + roomForSum)
  let end = 0
  let sum = 0
  for (const { bytes, sum: ofPart } of parts) {
    const isLong = bytes.length >= longPart
    if (end > 0 && (isLong || end + bytes.length > pieceBytes)) {
      sum = checksum(piece.subarray(0, end), sum)
      yield piece.subarray(0, end)
      end = 0
    }
    if (isLong) {
      sum = ofPart === undefined ? checksum(bytes, sum) : combined(sum, ofPart, bytes.length)
      yield bytes
    } else {
      piece.set(bytes, end)
      end += bytes.length
    }
  }
  sum = checksum(piece.subarray(0, end), sum)
  end += piece.write(`,\n"checksum": "${hex(sum)}"\n}\n`, end)
  yield piece.subarray(0, end)
}

function isList(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

const closing = /,\n"checksum": "([0-9a-f]{8})"\n\}\n$/

/** How much of the end of a snapshot names its epoch. */
export const epochTail = 512

/** What the end of a snapshot names. It may be damaged: a caller that relies on it checks the whole snapshot afterwards. */
export interface SnapshotHint {
  /** Where to begin to look for the newest lock. */
  readonly epoch: number
  readonly segments: number
  /** Whether it was written by a version that says whether the session is tidy, and does not leave gaps between locks. */
  readonly isCurrent: boolean
}

export function snapshotHint(tail: Uint8Array | undefined): SnapshotHint | undefined {
  if (tail === undefined) return undefined
  const text = Buffer.from(tail.buffer, tail.byteOffset, tail.length).toString('latin1')
  const match = /"store": \{"epoch":(\d+),"segments":(\d+),"lastSealedSeq":\d+,"chain":"\w+"(,"tidy":\w+)?\}/.exec(text)
  if (match === null || Number(match[1]) === 0) return undefined
  return { epoch: Number(match[1]), segments: Number(match[2]), isCurrent: match[3] !== undefined }
}

/** What a good snapshot of this session covers, without building its state. */
export interface Covered {
  /** The last event; 0 where there is no such snapshot. */
  readonly seq: number
  /** The checksum of the last segment, as it is written. */
  readonly chain: string | undefined
}

export function coveredBy(bytes: Uint8Array | undefined, id: string): Covered {
  const nothing = { seq: 0, chain: undefined }
  if (bytes === undefined || !checks(bytes)) return nothing
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const isOther = /^"id": "([^"]*)",$/m.exec(text)?.[1]?.toLowerCase() !== id.toLowerCase()
  if (isOther) return nothing
  const chain = /^"store": \{.*"chain":"([0-9a-f]{8})"[,}]/m.exec(text)?.[1]
  return { seq: Number(/^"seq": (\d+),$/m.exec(text)?.[1] ?? 0), chain }
}

export type SnapshotContent =
  | { readonly kind: 'good'; readonly state: SessionState; readonly store: SnapshotStore }
  /** Written by a version with another idea of a state: no more than a cache that does not fit. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'damaged' }

export function parseSnapshot(bytes: Uint8Array): SnapshotContent {
  if (!checks(bytes)) return { kind: 'damaged' }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const { pendingInput: _pending, store, checksum: _sum, ...state } = JSON.parse(buffer.toString('utf8'))
  if (state.stateVersion !== stateVersion) return { kind: 'stale' }
  return { kind: 'good', state: parseState(state), store: SessionSnapshot.shape.store.parse(store) }
}

function checks(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const end = closing.exec(buffer.toString('utf8', Math.max(0, buffer.length - 64)))
  if (end === null) return false
  return checksum(buffer.subarray(0, buffer.length - end[0].length)) === Number.parseInt(end[1] as string, 16)
}
