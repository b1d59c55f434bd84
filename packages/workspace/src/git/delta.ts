import { largestObject } from './object-id.ts'

/** Applies a delta of a pack: the result consists of pieces of the base and of new bytes. */
export function applyDelta(base: Uint8Array, delta: Buffer): Buffer {
  const [, afterBase] = sizeAt(delta, 0)
  const [size, begin] = sizeAt(delta, afterBase)
  if (size > largestObject) throw new RangeError('an object is larger than what is read here')
  const result = Buffer.alloc(size)
  let written = 0
  for (let at = begin; at < delta.length;) {
    const code = delta.readUInt8(at++)
    if ((code & 0x80) === 0) {
      result.set(delta.subarray(at, at + code), written)
      written += code
      at += code
      continue
    }
    let from = 0
    let length = 0
    for (let bit = 0; bit < 4; bit += 1) if ((code & (1 << bit)) !== 0) from += delta.readUInt8(at++) * 256 ** bit
    for (let bit = 0; bit < 3; bit += 1) if ((code & (16 << bit)) !== 0) length += delta.readUInt8(at++) * 256 ** bit
    result.set(base.subarray(from, from + (length || 0x10000)), written)
    written += length || 0x10000
  }
  return result
}

function sizeAt(delta: Buffer, start: number): [number, number] {
  let at = start
  let size = 0
  for (let factor = 1; ; factor *= 128) {
    const byte = delta.readUInt8(at++)
    size += (byte & 0x7f) * factor
    if ((byte & 0x80) === 0) return [size, at]
  }
}
