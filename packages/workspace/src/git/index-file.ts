import { createHash } from 'node:crypto'
import { type BigIntStats, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { codeOf } from '../paths/system-errors.ts'
import type { TreeEntry } from './tree-entry.ts'

/** An entry of a git index: a file, and its stat data when its content was last read. */
export interface IndexEntry extends TreeEntry {
  /** Stat data: ten 32-bit numbers. All 0 except the mode means that the file has to be read again. */
  readonly looks: Buffer
}

/** An index that cannot be read. */
export class UnknownIndex extends Error {
  override readonly name = 'UnknownIndex'
}

const firstAt = 12
const looksBytes = 40
const idBytes = 20
const headBytes = looksBytes + idBytes + 2
const modeAt = 24
const extended = 0x4000
const stageBits = 0x3000
const longestNamed = 0xfff

/** Entries by path, with one character per byte. Undefined when there is no index. */
export function readIndex(path: string): Map<string, IndexEntry> | undefined {
  const bytes = bytesOf(path)
  if (bytes === undefined) return undefined
  const version = bytes.length < 32 ? 0 : bytes.readUInt32BE(4)
  const isWhole = bytes.subarray(-idBytes).equals(createHash('sha1').update(bytes.subarray(0, -idBytes)).digest())
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || (version !== 2 && version !== 3) || !isWhole)
    throw new UnknownIndex(`the index ${path} is damaged, or of a version that is not known here`)
  const entries = new Map<string, IndexEntry>()
  let start = firstAt
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const flags = bytes.readUInt16BE(start + headBytes - 2)
    if ((flags & stageBits) !== 0) throw new UnknownIndex(`the index ${path} has two entries of one name`)
    // An extended entry has two more bytes of flags.
    const nameAt = start + headBytes + ((flags & extended) === 0 ? 0 : 2)
    const end = bytes.indexOf(0, nameAt)
    const looks = bytes.subarray(start, start + looksBytes)
    entries.set(bytes.toString('latin1', nameAt, end), {
      looks,
      mode: looks.readUInt32BE(modeAt).toString(8),
      blob: bytes.toString('hex', start + looksBytes, start + looksBytes + idBytes),
    })
    start += (Math.floor((end - start) / 8) + 1) * 8
  }
  return entries
}

/**
 * Writes an index of version 2, whole or not at all. The caller must be its only writer. Extensions that git keeps in
 * an index are left out; git computes them again.
 */
export function writeIndex(path: string, entries: ReadonlyMap<string, IndexEntry>): void {
  const sorted = [...entries].sort(([one], [other]) => (one < other ? -1 : 1))
  const size = sorted.reduce((sum, [name]) => sum + entryBytes(name), firstAt)
  const bytes = Buffer.alloc(size + idBytes)
  bytes.write('DIRC', 'latin1')
  bytes.writeUInt32BE(2, 4)
  bytes.writeUInt32BE(sorted.length, 8)
  let at = firstAt
  for (const [name, { looks, blob }] of sorted) {
    looks.copy(bytes, at)
    bytes.write(blob, at + looksBytes, 'hex')
    bytes.writeUInt16BE(Math.min(name.length, longestNamed), at + headBytes - 2)
    bytes.write(name, at + headBytes, 'latin1')
    at += entryBytes(name)
  }
  createHash('sha1').update(bytes.subarray(0, size)).digest().copy(bytes, size)
  const temporary = `${path}.new`
  try {
    writeFileSync(temporary, bytes, { mode: 0o600 })
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Entries are padded with one to eight NULs to a multiple of eight bytes. */
function entryBytes(name: string): number {
  return (Math.floor((headBytes + name.length) / 8) + 1) * 8
}

/** The stat data of a file, in the form of a git index. */
export function looksOf(stats: BigIntStats, mode: string): Buffer {
  const { ctimeNs, mtimeNs, dev, ino, uid, gid, size } = stats
  const looks = Buffer.alloc(looksBytes)
  const second = 1_000_000_000n
  const numbers = [ctimeNs / second, ctimeNs % second, mtimeNs / second, mtimeNs % second, dev, ino]
  const all = [...numbers, BigInt(Number.parseInt(mode, 8)), uid, gid, size]
  for (const [index, number] of all.entries()) looks.writeUInt32BE(Number(BigInt.asUintN(32, number)), index * 4)
  return looks
}

/** Stat data for an entry whose file has to be read again. */
export function noLooks(mode: string): Buffer {
  const looks = Buffer.alloc(looksBytes)
  looks.writeUInt32BE(Number.parseInt(mode, 8), modeAt)
  return looks
}

/** The change time in seconds, of which git keeps 32 bits; undefined where the file has to be read again. */
export function changeSecondOf({ looks }: IndexEntry): number | undefined {
  const second = looks.readUInt32BE(0)
  return second === 0 ? undefined : second
}

function bytesOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return undefined
  }
}
