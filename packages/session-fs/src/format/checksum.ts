import { crc32 } from 'node:zlib'

/** CRC-32 over the data, continuing from another one: what is chained so fits in one place only. */
export function checksum(data: string | Uint8Array, seed = 0): number {
  return crc32(data, seed)
}

/**
 * The checksum that a line of a journal shows: CRC-32 over the data, continuing from what the line before shows, combined
 * with the mark of the session. So a line that fits the one before it proves whose it is, although all before them may be
 * gone; and one that fits by another mark tells that.
 */
export function markedChecksum(data: string | Uint8Array, previous: number, mark: number): number {
  return (crc32(data, previous) ^ mark) >>> 0
}

export function hex(sum: number): string {
  return sum.toString(16).padStart(8, '0')
}
