import { parseState, SessionHead, type SessionState, stateVersion } from '@loader/session-core'
import { checksum, hex } from './checksum.ts'

/** How a head fits the files beside it. */
export type HeadStore = SessionHead['store']

const written = new WeakMap<object, Buffer>()

/** Items of a state never change, so each is written once and its bytes are kept for as long as it lives. */
function once(item: unknown): Buffer {
  if (typeof item !== 'object' || item === null) return Buffer.from(JSON.stringify(item))
  const known = written.get(item)
  if (known !== undefined) return known
  const bytes = Buffer.from(JSON.stringify(item))
  written.set(item, bytes)
  return bytes
}

/** The state as a document: a line for each field, and one for each message, entry and item, so that it can be read. */
export function encodeHead(state: SessionState, store: HeadStore): Uint8Array {
  const fields = { ...state, pendingInput: state.turn?.pending ?? null, store }
  const parts: Buffer[] = []
  for (const [key, value] of Object.entries(fields)) {
    parts.push(Buffer.from(`${parts.length === 0 ? '{' : ','}\n${JSON.stringify(key)}: `))
    addValue(parts, value)
  }
  const bytes = Buffer.concat([...parts, Buffer.from(endOf(0))])
  const end = bytes.length - endOf(0).length
  bytes.write(endOf(checksum(bytes.subarray(0, end))), end)
  return bytes
}

function endOf(sum: number): string {
  return `,\n"checksum": "${hex(sum)}"\n}\n`
}

const [first, next, last, none] = ['[\n  ', ',\n  ', '\n]', '[]'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
  Buffer,
]

function addValue(parts: Buffer[], value: unknown): void {
  if (!isList(value)) {
    parts.push(once(value))
    return
  }
  const before = parts.length
  for (const item of value) parts.push(parts.length === before ? first : next, once(item))
  parts.push(parts.length === before ? none : last)
}

function isList(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

const closing = /,\n"checksum": "([0-9a-f]{8})"\n\}\n$/

/** How much of the end of a head names its epoch. */
export const epochTail = 512

/** The epoch that the end of a head names: where to begin to look for the newest lock. */
export function epochHint(tail: Uint8Array | undefined): number {
  if (tail === undefined) return 0
  const match = /"store": \{"epoch":(\d+),/.exec(Buffer.from(tail.buffer, tail.byteOffset, tail.length).toString())
  return match === null ? 0 : Number(match[1])
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
  const chain = /^"store": \{.*"chain":"([0-9a-f]{8})"\},$/m.exec(text)?.[1]
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
