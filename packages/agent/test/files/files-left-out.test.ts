import { type FilePart, fileLimits, type Message } from '@loader/session-core'
import { expect, test } from 'vitest'
import { filesLeftOut } from '../../src/files/files-left-out.ts'

function shown(id: number, bytes: number, mediaType = 'image/png'): Message {
  const file: FilePart = {
    type: 'file',
    mediaType,
    source: { kind: 'base64', data: { blob: `b${id}`, bytes, excerpt: '' } },
  }
  return { id: `in_${id}`, role: 'user', origin: 'input', at: '2026-01-01T00:00:00.000Z', content: [file] }
}

function leftOut(window: readonly Message[]): number {
  return [...filesLeftOut(window, { images: true }).values()].flat().filter((why) => why !== undefined).length
}

test('one request holds the newest images, of so many bytes', () => {
  const size = 4 * 1024 * 1024
  const window = Array.from({ length: 12 }, (_, id) => shown(id, size))
  const left = filesLeftOut(window, { images: true })
  const sent = window.filter((message) => left.get(message)?.[0] === undefined)
  expect(sent).toEqual(window.slice(-sent.length))
  expect(sent.length * size).toBeLessThanOrEqual(fileLimits.requestBase64Bytes)
  expect(left.get(window[0] as Message)).toEqual(['later images fill what one request can hold'])
})

test('and of so many; what is left out changes seldom, so that requests begin like those before them', () => {
  const counts = Array.from({ length: 300 }, (_, many) =>
    leftOut(Array.from({ length: many }, (__, id) => shown(id, 1000))),
  )
  expect(counts.every((count, many) => many - count <= fileLimits.requestImages)).toBe(true)
  expect(counts.every((count, many) => many === 0 || many - count >= fileLimits.requestImages / 2 || count === 0)).toBe(
    true,
  )
  expect(new Set(counts).size).toBeLessThan(6)
})

test('a PDF file does not count as an image, and what a model does not read does not count at all', () => {
  const window = Array.from({ length: 120 }, (_, id) => shown(id, 1000, 'application/pdf'))
  expect(leftOut(window)).toBe(0)
  const blind = filesLeftOut([...window, shown(200, 1000)], { documents: false, images: true })
  expect([...blind.values()].flat().filter((why) => why === undefined)).toHaveLength(1)
})
