/** What the beginning of an image says of it. Nothing of it is decoded. */
export interface ImageFacts {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
  readonly width: number
  readonly height: number
}

/**
 * The kind and size of an image, by its bytes alone: a name or a declared type can be wrong, and providers refuse a
 * request over it. Undefined for anything else, and for what ends before its size.
 */
export function imageFacts(bytes: Uint8Array): ImageFacts | undefined {
  const facts = png(bytes) ?? jpeg(bytes) ?? gif(bytes) ?? webp(bytes)
  return facts !== undefined && facts.width > 0 && facts.height > 0 ? facts : undefined
}

function png(bytes: Uint8Array): ImageFacts | undefined {
  if (!has(bytes, 0, '\x89PNG\r\n\x1a\n') || !has(bytes, 12, 'IHDR') || bytes.length < 24) return undefined
  return { mediaType: 'image/png', width: big(bytes, 16, 4), height: big(bytes, 20, 4) }
}

/** Markers of frames: SOF0 to SOF15, without DHT, JPG and DAC, which lie among them. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

function jpeg(bytes: Uint8Array): ImageFacts | undefined {
  if (!has(bytes, 0, '\xff\xd8\xff')) return undefined
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    // Fill bytes may stand in front of a marker.
    if (marker === 0xff) at += 1
    else if (isFrame(marker)) {
      return { mediaType: 'image/jpeg', width: big(bytes, at + 7, 2), height: big(bytes, at + 5, 2) }
    } else at += 2 + big(bytes, at + 2, 2)
  }
  return undefined
}

function gif(bytes: Uint8Array): ImageFacts | undefined {
  if ((!has(bytes, 0, 'GIF87a') && !has(bytes, 0, 'GIF89a')) || bytes.length < 13) return undefined
  return { mediaType: 'image/gif', width: little(bytes, 6, 2), height: little(bytes, 8, 2) }
}

function webp(bytes: Uint8Array): ImageFacts | undefined {
  if (!has(bytes, 0, 'RIFF') || !has(bytes, 8, 'WEBP') || bytes.length < 30) return undefined
  const mediaType = 'image/webp'
  if (has(bytes, 12, 'VP8X')) return { mediaType, width: little(bytes, 24, 3) + 1, height: little(bytes, 27, 3) + 1 }
  if (has(bytes, 12, 'VP8L') && bytes[20] === 0x2f) {
    const bits = little(bytes, 21, 4)
    return { mediaType, width: (bits % 0x40_00) + 1, height: (Math.floor(bits / 0x40_00) % 0x40_00) + 1 }
  }
  if (!has(bytes, 12, 'VP8 ') || !has(bytes, 23, '\x9d\x01\x2a')) return undefined
  return { mediaType, width: little(bytes, 26, 2) % 0x40_00, height: little(bytes, 28, 2) % 0x40_00 }
}

function has(bytes: Uint8Array, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false
  }
  return true
}

function big(bytes: Uint8Array, at: number, length: number): number {
  let value = 0
  for (let index = 0; index < length; index += 1) value = value * 256 + (bytes[at + index] ?? 0)
  return value
}

function little(bytes: Uint8Array, at: number, length: number): number {
  let value = 0
  for (let index = length - 1; index >= 0; index -= 1) value = value * 256 + (bytes[at + index] ?? 0)
  return value
}
