import { crc32, deflateSync } from 'node:zlib'

/** A PNG of noise, which does not become small. */
export function png(width: number, height: number, seed: number): Buffer {
  let state = seed
  const rows = Buffer.alloc(height * (width * 3 + 1))
  for (let at = 0; at < rows.length; at += 1) {
    state = (state * 48_271) % 2_147_483_647
    rows[at] = at % (width * 3 + 1) === 0 ? 0 : state & 0xff
  }
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  size.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, chunk('IHDR', size), chunk('IDAT', deflateSync(rows)), chunk('IEND')])
}

/** The same image with a text in it. */
export function withText(image: Buffer, text: string): Buffer {
  const end = image.length - 12
  return Buffer.concat([image.subarray(0, end), chunk('tEXt', Buffer.from(`Comment\0${text}`)), image.subarray(end)])
}

function chunk(type: string, data: Uint8Array = new Uint8Array()): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
