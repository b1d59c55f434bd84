import { crc32 } from 'node:zlib'

/** CRC-32 over the data, continuing from another one: what is chained so fits in one place only. */
export function checksum(data: string | Uint8Array, seed = 0): number {
  return crc32(data, seed)
}

export function hex(sum: number): string {
  return sum.toString(16).padStart(8, '0')
}
