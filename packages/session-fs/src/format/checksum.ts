import { crc32 } from 'node:zlib'

/** CRC-32 over the data, continuing from another checksum: data that is chained like this fits in one place only. */
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

/**
 * The checksum of two pieces in a row, from the checksum of each and the length of the second. A checksum is the remainder of
 * the bytes, read as a polynomial over two elements; more bytes behind them multiply it by a power of x.
 */
export function combined(first: number, second: number, secondLength: number): number {
  let shifted = first
  // The power of x for each bit of the length, beginning with that for one byte.
  for (
    let bits = secondLength, power = 0x0080_0000;
    bits > 0;
    bits = Math.floor(bits / 2), power = product(power, power)
  ) {
    if (bits % 2 === 1) shifted = product(power, shifted)
  }
  return (shifted ^ second) >>> 0
}

/** Of two remainders, in the order of bits that CRC-32 has: the highest bit stands for 1. */
function product(one: number, other: number): number {
  let sum = 0
  for (let bit = 0x8000_0000, factor = other; bit !== 0; bit >>>= 1) {
    if ((one & bit) !== 0) sum ^= factor
    factor = (factor & 1) === 0 ? factor >>> 1 : (factor >>> 1) ^ 0xedb8_8320
  }
  return sum >>> 0
}
