import { execFileSync } from 'node:child_process'
import { appendFile, symlink, writeFile } from 'node:fs/promises'
import { bytesOfBase64, type FilePart, fileLimits, imageFacts } from '@loader/session-core'
import { temporaryWorkspace } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { partsOf } from '../../src/index.ts'
import { plainImage } from '../../src/media/plain-image.ts'
import {
  chunk,
  cmykJpeg,
  exif,
  exifSegment,
  header,
  movingGif,
  movingWebp,
  pdf,
  png,
  red,
  signature,
  smallJpeg,
  smallWebp,
  withSegments,
} from './pictures.ts'

async function given(bytes: Uint8Array, name = 'given') {
  return partsOf('Look.', [{ name, bytes }], { folder: '/' })
}

function bytesOf(part: FilePart | undefined): Uint8Array {
  const data = part?.source.kind === 'base64' ? part.source.data : undefined
  if (typeof data !== 'string') throw new Error('There is no file.')
  return bytesOfBase64(data)
}

async function refusal(bytes: Uint8Array): Promise<string> {
  const { files, refused } = await given(bytes)
  expect(files).toEqual([])
  return refused.join('\n')
}

describe('what a file is, its bytes say', () => {
  test.each([
    ['image/png', png(3, 2, red)],
    ['image/jpeg', smallJpeg],
    ['application/pdf', pdf('One.')],
  ])('%s under the name of another', async (mediaType, bytes) => {
    const { files, refused } = await given(bytes, 'shot.bmp')
    expect(refused).toEqual([])
    expect(files).toMatchObject([{ type: 'file', mediaType, name: 'shot.bmp' }])
  })

  test('text is quoted, SVG too, in a fence that it cannot end', async () => {
    const { text, files } = await given(Buffer.from('<svg>````</svg>\n'), 'logo.svg')
    expect(files).toEqual([])
    expect(text).toBe('Look.\n\nlogo.svg:\n`````\n<svg>````</svg>\n`````')
  })

  test('what is none of these is refused, and so is nothing at all', async () => {
    expect(await refusal(Buffer.from([0x42, 0x4d, 0, 1, 2, 3]))).toContain('it is not an image (PNG, JPEG, GIF, WebP)')
    expect(await refusal(Buffer.alloc(0))).toBe('given: it is empty.')
  })
})

describe('of an image only the picture is sent', () => {
  test('no place, no comment and no file behind its end', async () => {
    const hidden = Buffer.concat([
      png(4, 4, red, [
        chunk('tEXt', Buffer.from('GPS\0secret')),
        chunk('eXIf', exif(1)),
        chunk('zTXt', Buffer.from('x')),
      ]),
      Buffer.from('PK\x03\x04secret archive'),
    ])
    const { files } = await given(hidden)
    expect(bytesOf(files[0])).toEqual(new Uint8Array(png(4, 4, red)))
  })

  test('nor in JPEG, where colours keep their meaning', async () => {
    const profile: readonly [number, Buffer] = [0xe2, Buffer.from('ICC_PROFILE\0\x01\x01colours', 'latin1')]
    const full = withSegments(smallJpeg, exifSegment(1), [0xfe, Buffer.from('secret')], profile, [
      0xed,
      Buffer.from('secret'),
    ])
    const { files } = await given(Buffer.concat([full, Buffer.from('secret')]))
    expect(bytesOf(files[0])).toEqual(new Uint8Array(withSegments(smallJpeg, profile)))
  })

  test('a picture that moves is its first picture, and GIF and WebP are what every provider takes', async () => {
    expect((await given(movingGif)).files).toMatchObject([{ mediaType: 'image/png' }])
    expect((await given(movingWebp)).files).toMatchObject([{ mediaType: 'image/jpeg' }])
    expect((await given(smallWebp)).files).toMatchObject([{ mediaType: 'image/jpeg' }])
    const stripped = plainImage(movingGif)
    const bytes = stripped.kind === 'image' ? Buffer.from(stripped.bytes) : movingGif
    expect(bytes.length).toBeLessThan(movingGif.length)
    expect(bytes.toString('latin1')).not.toContain('NETSCAPE')
  })

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('it is upright, with orientation %i', async (orientation) => {
    const { files, refused } = await given(withSegments(smallJpeg, exifSegment(orientation)))
    expect(refused).toEqual([])
    const facts = imageFacts(bytesOf(files[0]))
    expect(facts).toMatchObject(orientation > 4 ? { width: 8, height: 16 } : { width: 16, height: 8 })
  })

  test('colours of print become colours of screens', async () => {
    const { files } = await given(withSegments(cmykJpeg, exifSegment(3)))
    expect(files).toMatchObject([{ mediaType: 'image/jpeg' }])
  })
})

describe('too large an image', () => {
  test('is scaled, and keeps what is clear in it', async () => {
    const clear = png(2100, 50, (x) => [255, 0, 0, x % 2 === 0 ? 255 : 0])
    const { files, notes } = await given(clear, 'wide.png')
    expect(notes[0]).toMatch(/^wide\.png: 2100 x 50 pixels, sent as 1568 x 37, /)
    expect(imageFacts(bytesOf(files[0]))).toEqual({ mediaType: 'image/png', width: 1568, height: 37 })
  })

  test('of noise fits into what is sent', async () => {
    let seed = 1
    const noise = () => (seed = (seed * 48_271) % 2_147_483_647) % 256
    const { files } = await given(png(1600, 1200, () => [noise(), noise(), noise(), 255]))
    expect(files[0]?.source).toMatchObject({ kind: 'base64' })
    expect(bytesOf(files[0]).length * 4).toBeLessThanOrEqual(fileLimits.imageBase64Bytes * 3)
  })

  test('on paper is refused by its header, without decoding anything', async () => {
    const bomb = Buffer.concat([signature, header(50_000, 50_000), chunk('IDAT', Buffer.alloc(2000)), chunk('IEND')])
    expect(await refusal(bomb)).toBe('given: it has 50000 x 50000 pixels, and at most 50 million are read.')
  })
})

describe('a broken image is refused, because one makes a provider refuse every later request', () => {
  const whole = png(40, 40, (x, y) => [x * 6, y * 6, 0, 255])
  test.each([
    ['cut off', whole.subarray(0, whole.length - 20), 'it is cut off.'],
    ['damaged', Buffer.concat([whole.subarray(0, 60), Buffer.from([1, 2, 3]), whole.subarray(63)]), 'is damaged.'],
    ['without a picture', Buffer.concat([signature, header(4, 4), chunk('IEND')]), 'it holds no picture.'],
    [
      'with data that is none',
      Buffer.concat([signature, header(4, 4), chunk('IDAT', Buffer.from('no')), chunk('IEND')]),
      'cannot be decoded',
    ],
    ['a JPEG that is cut off', smallJpeg.subarray(0, smallJpeg.length - 30), 'it is cut off.'],
    ['a GIF that is cut off', movingGif.subarray(0, 40), 'it is cut off.'],
    ['a WebP that is cut off', smallWebp.subarray(0, smallWebp.length - 4), 'it is cut off.'],
    ['a header alone', smallJpeg.subarray(0, 12), 'it is not an image'],
    ['a PDF that is cut off', pdf('One.').subarray(0, 300), 'it is cut off.'],
  ])('%s', async (_name, bytes, why) => {
    expect(await refusal(bytes)).toContain(why)
  })

  test('whichever byte of it is changed, it is refused or a whole image', async () => {
    for (const image of [png(5, 5, red), smallJpeg, movingGif, movingWebp, smallWebp]) {
      for (let at = 0; at < image.length; at += Math.ceil(image.length / 12)) {
        const changed = Buffer.from(image)
        changed[at] = (changed[at] ?? 0) ^ 0xff
        const { files, refused, text } = await given(changed)
        expect(files.length + refused.length + (text === 'Look.' ? 0 : 1)).toBe(1)
      }
    }
  }, 120_000)
})

describe('files on disk', () => {
  test('are read through a link, as the user means them, and named on one line', async () => {
    await using workspace = await temporaryWorkspace()
    await writeFile(workspace.path('a\u202e\nb.png'), png(2, 2, red))
    await symlink('a\u202e\nb.png', workspace.path('link.png'))
    const { files } = await partsOf('', ['a\u202e\nb.png', 'link.png'], { folder: workspace.root })
    expect(files.map(({ name }) => name)).toEqual(['a__b.png', 'link.png'])
  })

  test('that are none are refused: a pipe, a device without end, a folder, nothing', async () => {
    await using workspace = await temporaryWorkspace()
    execFileSync('mkfifo', [workspace.path('pipe.png')])
    const { refused } = await partsOf('', ['pipe.png', '/dev/zero', '.', 'absent.png'], { folder: workspace.root })
    expect(refused).toEqual([
      'pipe.png: it is not a regular file.',
      'zero: it is not a regular file.',
      expect.stringContaining('not a regular file'),
      expect.stringContaining('absent.png: there is no such file'),
    ])
  })

  test('that grow while they are read are refused, or are what they were', async () => {
    await using workspace = await temporaryWorkspace()
    const path = workspace.path('shot.png')
    await writeFile(path, Buffer.concat([png(2, 2, red), Buffer.alloc(3_000_000)]))
    const growing = Promise.all(Array.from({ length: 40 }, () => appendFile(path, Buffer.alloc(100_000))))
    const { files, refused } = await partsOf('', ['shot.png'], { folder: workspace.root })
    await growing
    if (files.length === 0) expect(refused[0]).toContain('it changed while it was read')
    else expect(bytesOf(files[0])).toEqual(new Uint8Array(png(2, 2, red)))
  })

  test('a hundred of them are taken one by one', async () => {
    const many = Array.from({ length: 100 }, (_, at) => ({ name: `${at}.txt`, bytes: Buffer.from(String(at)) }))
    expect((await partsOf('All.', many, { folder: '/' })).notes).toHaveLength(100)
  })
})
