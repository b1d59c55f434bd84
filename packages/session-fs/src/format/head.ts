import { parseState, SessionHead, type SessionState, stateVersion } from '@loader/session-core'
import { checksum, hex } from './checksum.ts'

/** How a head fits the files beside it. */
export type HeadStore = SessionHead['store']

const written = new WeakMap<object, Buffer>()

/** So much of a head is kept between two of them. A window of a model is smaller; an imported history may not be. */
const mostKept = 4 * 1024 * 1024
const pieceBytes = 64 * 1024

/**
 * The state as a document: a line for each field, and one for each message, entry and item, so that it can be read. It
 * is made piece by piece, each of which holds until the next one is asked for: a long one is never in memory as a whole.
 */
export function* headPieces(state: SessionState, store: HeadStore): Generator<Uint8Array> {
  const fields = { ...state, pendingInput: state.turn?.pending ?? null, store }
  const piece = Buffer.allocUnsafe(pieceBytes)
  let end = 0
  let length = 0
  let sum = 0
  for (const part of partsOf(fields, () => length < mostKept)) {
    length += part.length
    if (end + part.length > pieceBytes) {
      sum = checksum(piece.subarray(0, end), sum)
      yield piece.subarray(0, end)
      end = 0
    }
    if (part.length <= pieceBytes) end += part.copy(piece, end)
    else {
      sum = checksum(part, sum)
      yield part
    }
  }
  sum = checksum(piece.subarray(0, end), sum)
  yield Buffer.concat([piece.subarray(0, end), Buffer.from(`,\n"checksum": "${hex(sum)}"\n}\n`)])
}

const [first, next, last, none] = ['[\n  ', ',\n  ', '\n]', '[]'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
  Buffer,
]

function* partsOf(fields: object, isKept: () => boolean): Generator<Buffer> {
  let opening = '{'
  for (const [key, value] of Object.entries(fields)) {
    yield Buffer.from(`${opening}\n${JSON.stringify(key)}: `)
    opening = ','
    if (!isList(value)) {
      yield once(value, isKept())
      continue
    }
    let isEmpty = true
    for (const item of value) {
      yield isEmpty ? first : next
      yield once(item, isKept())
      isEmpty = false
    }
    yield isEmpty ? none : last
  }
}

/** Items of a state never change, so each is written once and its bytes are kept for as long as it lives. */
function once(item: unknown, isKept: boolean): Buffer {
  if (typeof item !== 'object' || item === null) return Buffer.from(JSON.stringify(item))
  const known = written.get(item)
  if (known !== undefined) return known
  const bytes = Buffer.from(JSON.stringify(item))
  if (isKept) written.set(item, bytes)
  return bytes
}

function isList(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

const closing = /,\n"checksum": "([0-9a-f]{8})"\n\}\n$/

/** How much of the end of a head names its epoch. */
export const epochTail = 512

/** What the end of a head names. It may be damaged: who relies on it looks at the whole head afterwards. */
export interface HeadHint {
  /** Where to begin to look for the newest lock. */
  readonly epoch: number
  readonly segments: number
  /** Whether it was written by a version that says whether the session is tidy, and does not leave gaps between locks. */
  readonly isCurrent: boolean
}

export function headHint(tail: Uint8Array | undefined): HeadHint | undefined {
  if (tail === undefined) return undefined
  const text = Buffer.from(tail.buffer, tail.byteOffset, tail.length).toString('latin1')
  const match = /"store": \{"epoch":(\d+),"segments":(\d+),"lastSealedSeq":\d+,"chain":"\w+"(,"tidy":\w+)?\}/.exec(text)
  if (match === null || Number(match[1]) === 0) return undefined
  return { epoch: Number(match[1]), segments: Number(match[2]), isCurrent: match[3] !== undefined }
}

/** What a good head of this session covers, without building its state. */
export interface Covered {
  /** The last event; 0 where there is no such head. */
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

export type HeadContent =
  | { readonly kind: 'good'; readonly state: SessionState; readonly store: HeadStore }
  /** Written by a version with another idea of a state: no more than a cache that does not fit. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'damaged' }

export function parseHead(bytes: Uint8Array): HeadContent {
  if (!checks(bytes)) return { kind: 'damaged' }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const { pendingInput: _pending, store, checksum: _sum, ...state } = JSON.parse(buffer.toString('utf8'))
  if (state.stateVersion !== stateVersion) return { kind: 'stale' }
  return { kind: 'good', state: parseState(state), store: SessionHead.shape.store.parse(store) }
}

function checks(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const end = closing.exec(buffer.toString('utf8', Math.max(0, buffer.length - 64)))
  if (end === null) return false
  return checksum(buffer.subarray(0, buffer.length - end[0].length)) === Number.parseInt(end[1] as string, 16)
}
