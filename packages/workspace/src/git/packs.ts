import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { mayChangeUnseen } from '../files/change-times.ts'
import { codeOf } from '../paths/system-errors.ts'
import { applyDelta } from './delta.ts'
import { type GitObject, largestObject } from './object-id.ts'

interface PackIndex {
  readonly pack: string
  /** Ids of 20 bytes each, sorted. */
  readonly ids: Buffer
  /** The offset of each object, in the order of the ids. */
  readonly offsets: readonly number[]
  /** The same offsets in ascending order. */
  readonly sorted: readonly number[]
}

interface Found {
  readonly index: PackIndex
  readonly offset: number
}

/**
 * The packs of a repository, listed anew each time, because git adds and removes some. Unknown forms count as absent.
 */
export class Packs {
  readonly #folder: string
  #version: bigint | undefined
  #indexes: ReadonlyMap<string, PackIndex> = new Map()

  constructor(objects: string) {
    this.#folder = join(objects, 'pack')
  }

  has(id: string): boolean {
    return this.#find(id) !== undefined
  }

  read(id: string): GitObject | undefined {
    const found = this.#find(id)
    if (found === undefined) return undefined
    try {
      return this.#readAt(found)
    } catch (error) {
      // The pack has been removed since, or is damaged.
      if (codeOf(error) === undefined && !(error instanceof RangeError)) throw error
      return undefined
    }
  }

  #find(id: string): Found | undefined {
    this.#look()
    const wanted = Buffer.from(id, 'hex')
    for (const index of this.#indexes.values()) {
      const place = placeIn(index.ids, wanted)
      const offset = place === undefined ? undefined : index.offsets[place]
      if (offset !== undefined) return { index, offset }
    }
    return undefined
  }

  #look(): void {
    const stats = statSync(this.#folder, { bigint: true, throwIfNoEntry: false })
    if (stats !== undefined && stats.ctimeNs === this.#version) return
    const isFresh = stats === undefined || mayChangeUnseen(stats)
    this.#version = isFresh ? undefined : stats.ctimeNs
    const names = stats === undefined ? [] : readdirSync(this.#folder).filter((name) => name.endsWith('.idx'))
    // The name of a pack is a hash of its content, so an index never changes under one name.
    const indexes = names.flatMap((name) => {
      const known = this.#indexes.get(name) ?? readIndex(join(this.#folder, name))
      return known === undefined ? [] : [[name, known] as const]
    })
    this.#indexes = new Map(indexes)
  }

  #readAt({ index, offset }: Found): GitObject | undefined {
    const end = endOf(index, offset)
    const { kind, size, data, start } = entryAt(index.pack, offset, end)
    if (size > largestObject) return undefined
    switch (kind) {
      case 2:
      case 3:
        return { type: kind === 2 ? 'tree' : 'blob', content: inflated(data.subarray(start), size) }
      case 6: {
        const [distance, next] = distanceAt(data, start)
        const base = this.#readAt({ index, offset: offset - distance })
        return base && { ...base, content: applyDelta(base.content, inflated(data.subarray(next), size)) }
      }
      case 7: {
        const base = this.read(data.toString('hex', start, start + 20))
        return base && { ...base, content: applyDelta(base.content, inflated(data.subarray(start + 20), size)) }
      }
      default:
        return undefined
    }
  }
}

function inflated(data: Uint8Array, size: number): Buffer {
  const bytes = inflateSync(data, { maxOutputLength: Math.max(size, 1) })
  if (bytes.length !== size) throw new RangeError('a pack is damaged')
  return bytes
}

/** Reads a pack index of version 2: header, counts by first byte, ids, checksums, and offsets of 4 or 8 bytes. */
function readIndex(path: string): PackIndex | undefined {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
  const idsAt = 8 + 256 * 4
  if (bytes.length < idsAt || bytes.readUInt32BE(0) !== 0xff744f63 || bytes.readUInt32BE(4) !== 2) return undefined
  const count = bytes.readUInt32BE(idsAt - 4)
  const offsetsAt = idsAt + count * 24
  const farAt = offsetsAt + count * 4
  if (bytes.length < farAt + 40) return undefined
  const offsets = Array.from({ length: count }, (_, place) => {
    const offset = bytes.readUInt32BE(offsetsAt + place * 4)
    return offset < 0x80000000 ? offset : Number(bytes.readBigUInt64BE(farAt + (offset - 0x80000000) * 8))
  })
  return {
    pack: path.replace(/\.idx$/, '.pack'),
    ids: bytes.subarray(idsAt, idsAt + count * 20),
    offsets,
    sorted: offsets.toSorted((one, other) => one - other),
  }
}

function placeIn(ids: Buffer, wanted: Buffer): number | undefined {
  let [low, high] = [0, ids.length / 20]
  while (low < high) {
    const middle = (low + high) >>> 1
    const order = ids.compare(wanted, 0, 20, middle * 20, middle * 20 + 20)
    if (order === 0) return middle
    if (order < 0) low = middle + 1
    else high = middle
  }
  return undefined
}

/** Where the next object begins; undefined for the last one. */
function endOf({ sorted }: PackIndex, offset: number): number | undefined {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return sorted[low]
}

const sumBytes = 20

/** The entry at an offset of a pack: its kind, its unpacked size and its packed data. */
function entryAt(pack: string, offset: number, end: number | undefined) {
  const fd = openSync(pack, 'r')
  try {
    const data = Buffer.alloc((end ?? fstatSync(fd).size - sumBytes) - offset)
    readSync(fd, data, 0, data.length, offset)
    let byte = data.readUInt8(0)
    const kind = (byte >> 4) & 7
    let size = byte & 15
    let start = 1
    for (let factor = 16; (byte & 0x80) !== 0; factor *= 128, start += 1) {
      byte = data.readUInt8(start)
      size += (byte & 0x7f) * factor
    }
    return { kind, size, data, start }
  } finally {
    closeSync(fd)
  }
}

/** How far before the delta its base lies, and where the delta begins. */
function distanceAt(data: Buffer, start: number): [number, number] {
  let next = start
  let byte = data.readUInt8(next++)
  let distance = byte & 0x7f
  while ((byte & 0x80) !== 0) {
    byte = data.readUInt8(next++)
    distance = (distance + 1) * 128 + (byte & 0x7f)
  }
  return [distance, next]
}
