import { writeFile } from 'node:fs/promises'
import { temporaryWorkspace } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { readTool } from '../../src/index.ts'
import { perform, toolContext } from '../perform.ts'
import { pdf, png, red } from './pictures.ts'

async function read(bytes: Uint8Array, model: { images?: boolean; documents?: boolean }, input: object = {}) {
  await using workspace = await temporaryWorkspace()
  await writeFile(workspace.path('file'), bytes)
  return perform(readTool(workspace), { file_path: 'file', ...input }, await toolContext({ model }))
}

describe('read of an image', () => {
  test('gives it to a model that sees images', async () => {
    expect(await read(png(3, 2, red), { images: true })).toMatchObject({
      outcome: 'ok',
      text: expect.stringMatching(/^file: image\/png, 3 x 2 pixels, \d+ bytes\.$/),
      files: [{ type: 'file', mediaType: 'image/png', name: 'file', source: { kind: 'base64' } }],
      metadata: { mediaType: 'image/png' },
    })
  })

  test.each([
    [false, 'This model cannot see images, so it is not shown.'],
    [undefined, 'It is not known whether this model sees images, so it is not shown.'],
  ])('says what it is where the model sees: %s', async (images, words) => {
    const result = await read(png(3, 2, red), images === undefined ? {} : { images })
    expect(result).toMatchObject({ outcome: 'failed', text: expect.stringContaining('image/png, 3 x 2 pixels') })
    expect(result.text).toContain(words)
    expect(result.files).toBeUndefined()
  })

  test('says why it cannot be shown', async () => {
    const cut = png(30, 30, (x, y) => [x, y, 0, 255]).subarray(0, 90)
    expect((await read(cut, { images: true })).text).toBe('file cannot be shown: it is cut off.')
  })
})

describe('read of a PDF file', () => {
  test('gives it to a model that reads them', async () => {
    expect(await read(pdf('Invoice 4711.', 'Total 42.'), { documents: true })).toMatchObject({
      outcome: 'ok',
      text: expect.stringMatching(/^file: application\/pdf, 2 pages, /),
      files: [{ mediaType: 'application/pdf' }],
    })
  })

  test('gives its text to others, page by page, from the line on that is asked for', async () => {
    const { outcome, text, files } = await read(pdf('Invoice 4711.', 'Total 42.'), {})
    expect({ outcome, files }).toEqual({ outcome: 'ok', files: undefined })
    expect(text).toBe(
      '(file is a PDF file of 2 pages; this is its text, without pictures and layout.)\n' +
        '   1\t--- page 1 of 2 ---\n   2\tInvoice 4711.\n   3\t--- page 2 of 2 ---\n   4\tTotal 42.',
    )
    expect((await read(pdf('Invoice 4711.', 'Total 42.'), {}, { offset: 4 })).text).toContain('   4\tTotal 42.')
  })

  test('says so where it has no text, or none that can be read', async () => {
    expect((await read(pdf(''), {})).text).toContain('Its 1 pages hold pictures and no text.')
    expect((await read(Buffer.from('%PDF-1.4\nnothing'), { documents: true })).text).toContain('It is cut off.')
  })
})
