import type { Stripped } from './plain-image.ts'

const headerLength = 13
const blocks = { extension: 0x21, picture: 0x2c, end: 0x3b, control: 0xf9 } as const

/** Its first picture: models look at no other, and some refuse pictures that move. */
export function plainGif(bytes: Uint8Array): Stripped | string {
  const tableEnd = headerLength + colours(bytes[10] ?? 0)
  const pieces = [bytes.subarray(0, tableEnd)]
  let control: Uint8Array | undefined
  for (let at = tableEnd; at < bytes.length;) {
    const start = at
    const kind = bytes[at]
    if (kind === blocks.end) return 'it holds no picture'
    if (kind === blocks.extension) {
      const label = bytes[at + 1]
      const end = endOfBlocks(bytes, at + 2)
      if (end === undefined) break
      if (label === blocks.control) control = bytes.subarray(start, end)
      at = end
      continue
    }
    if (kind !== blocks.picture) return 'its parts do not follow each other'
    const end = endOfBlocks(bytes, at + 11 + colours(bytes[at + 9] ?? 0))
    if (end === undefined) break
    if (control !== undefined) pieces.push(control)
    return { pieces: [...pieces, bytes.subarray(start, end), Uint8Array.of(blocks.end)] }
  }
  return 'it is cut off'
}

/** Bytes of the table of colours that a byte of flags tells of. */
function colours(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
}

/** Blocks of up to 255 bytes, each with its length in front; an empty one is the last. */
function endOfBlocks(bytes: Uint8Array, from: number): number | undefined {
  for (let at = from; at < bytes.length;) {
    const length = bytes[at] ?? 0
    at += 1 + length
    if (length === 0) return at
  }
  return undefined
}
