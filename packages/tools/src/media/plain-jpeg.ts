import type { Stripped } from './plain-image.ts'

const frames = { startOfImage: 0xd8, endOfImage: 0xd9, startOfScan: 0xda } as const

export function plainJpeg(bytes: Uint8Array): Stripped | string {
  const jpeg = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const pieces: Uint8Array[] = [jpeg.subarray(0, 2)]
  let exif: Uint8Array | undefined
  let hasScan = false
  for (let at = 2; at + 2 <= jpeg.length;) {
    if (jpeg[at] !== 0xff) return 'its parts do not follow each other'
    const marker = jpeg[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === frames.endOfImage) {
      if (!hasScan) return 'it holds no picture'
      pieces.push(jpeg.subarray(at, at + 2))
      return { pieces, exif }
    }
    if (at + 4 > jpeg.length) break
    const length = jpeg.readUInt16BE(at + 2)
    const end = at + 2 + length
    if (length < 2 || end > jpeg.length) break
    const body = jpeg.subarray(at + 4, end)
    if (marker === 0xe1 && body.toString('latin1', 0, 6) === 'Exif\0\0') exif ??= body.subarray(6)
    if (marker === frames.startOfScan) {
      hasScan = true
      const next = endOfScan(jpeg, end)
      pieces.push(jpeg.subarray(at, next))
      at = next
      continue
    }
    if (isOfPicture(marker, body)) pieces.push(jpeg.subarray(at, end))
    at = end
  }
  return 'it is cut off'
}

/** Everything but applications' own parts and comments; of those, what says how colours are meant. */
function isOfPicture(marker: number, body: Buffer): boolean {
  if (marker === 0xfe) return false
  if (marker < 0xe0 || marker > 0xef) return true
  const says = (name: string) => body.toString('latin1', 0, name.length) === name
  return (
    (marker === 0xe0 && says('JFIF\0')) ||
    (marker === 0xe2 && says('ICC_PROFILE\0')) ||
    (marker === 0xee && says('Adobe'))
  )
}

/** Where the next marker stands behind the data of a scan: FF 00 is a byte of the data, and restarts belong to it. */
function endOfScan(jpeg: Buffer, from: number): number {
  for (let at = jpeg.indexOf(0xff, from); at !== -1 && at + 1 < jpeg.length; at = jpeg.indexOf(0xff, at + 1)) {
    const next = jpeg[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return jpeg.length
}
