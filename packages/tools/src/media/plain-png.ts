import { crc32 } from 'node:zlib'
import type { Stripped } from './plain-image.ts'

const signatureLength = 8
/** What the picture is made of, and how its colours are meant. Text, times, Exif and further pictures are not in it. */
const kept: ReadonlySet<string> = new Set('IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP sBIT bKGD pHYs'.split(' '))

export function plainPng(bytes: Uint8Array): Stripped | string {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const pieces = [png.subarray(0, signatureLength)]
  let exif: Uint8Array | undefined
  let hasData = false
  for (let at = signatureLength; at + 12 <= png.length;) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    const end = at + 12 + length
    if (end > png.length) break
    if (crc32(png.subarray(at + 4, end - 4)) !== png.readUInt32BE(end - 4))
      return `its part ${JSON.stringify(type)} is damaged`
    if (kept.has(type)) pieces.push(png.subarray(at, end))
    // A part that is critical must be understood.
    else if (/^[A-Z]/.test(type)) return `its part ${JSON.stringify(type)} is not known`
    if (type === 'eXIf') exif = png.subarray(at + 8, end - 4)
    hasData ||= type === 'IDAT'
    if (type === 'IEND') return hasData ? { pieces, exif } : 'it holds no picture'
    at = end
  }
  return 'it is cut off'
}
