import type { Stripped } from './plain-image.ts'

const headerLength = 12
const kept: ReadonlySet<string> = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ICCP'])
/** Flags of VP8X for what is left out: that it moves, XMP and Exif. */
const flagsLeftOut = 0b0000_1110

export function plainWebp(bytes: Uint8Array): Stripped | string {
  const webp = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const whole = 8 + webp.readUInt32LE(4)
  if (whole > webp.length) return 'it is cut off'
  const parts: Uint8Array[] = []
  let exif: Uint8Array | undefined
  let [hasData, moves] = [false, false]
  for (let at = headerLength; at + 8 <= whole;) {
    const type = webp.toString('latin1', at, at + 4)
    const length = webp.readUInt32LE(at + 4)
    const end = at + 8 + length + (length % 2)
    if (end > whole) return 'it is cut off'
    if (type === 'VP8X') parts.push(withoutFlags(webp.subarray(at, end)))
    else if (kept.has(type)) parts.push(webp.subarray(at, end))
    if (type === 'EXIF') exif = webp.subarray(at + 8, at + 8 + length)
    hasData ||= type === 'VP8 ' || type === 'VP8L'
    moves ||= type === 'ANMF'
    at = end
  }
  // The pictures of one that moves are kept as they are, for a decoder that takes out the first.
  if (moves) return { pieces: [webp.subarray(0, whole)], exif, moves }
  if (!hasData) return 'it holds no picture'
  const header = Buffer.from(webp.subarray(0, headerLength))
  header.writeUInt32LE(4 + parts.reduce((sum, { length }) => sum + length, 0), 4)
  return { pieces: [header, ...parts], exif }
}

function withoutFlags(part: Uint8Array): Uint8Array {
  const copy = Buffer.from(part)
  copy[8] = (copy[8] ?? 0) & ~flagsLeftOut
  return copy
}
