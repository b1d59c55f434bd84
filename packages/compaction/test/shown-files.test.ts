import type { FilePart, Message } from '@loader/session-core'
import { expect, test } from 'vitest'
import { messagesTokens } from '../src/index.ts'
import { shownFiles } from '../src/shown-files.ts'
import { transcriptOf } from '../src/transcript-of.ts'

const at = '2026-01-01T00:00:00.000Z'

function file(name: string, mediaType: string, bytes: number): FilePart {
  const data = { blob: `${'0123456789abcdef'.repeat(4)}.txt`, bytes, excerpt: '' }
  return { type: 'file', mediaType, name, source: { kind: 'base64', data } }
}

const shot = file('shot.png', 'image/png', 400_000)
const window: readonly Message[] = [
  { id: 'in_1', role: 'user', origin: 'input', at, content: [{ type: 'text', text: 'Look.' }, shot] },
  {
    id: 'call_1',
    role: 'tool',
    origin: 'tool',
    at,
    content: [
      {
        type: 'result',
        callId: 'call_1',
        name: 'read',
        outcome: 'ok',
        text: 'a.pdf: 3 pages.',
        files: [file('a; b (1).pdf', 'application/pdf', 900_000), shot],
      },
    ],
  },
]

test('a summary names each file once, with where the session keeps it', () => {
  expect(shownFiles(window)).toEqual([
    'shot.png (image/png, kept as 0123456789ab…)',
    'a_ b _1_.pdf (application/pdf, kept as 0123456789ab…)',
  ])
})

test('a model that writes the summary reads what was shown, and none of the data', () => {
  expect(transcriptOf(window, 10_000)).toBe(
    [
      'user: Look.',
      'user attaches shot.png (image/png, kept as 0123456789ab…)',
      'read (ok): a.pdf: 3 pages.',
      '  with a_ b _1_.pdf (application/pdf, kept as 0123456789ab…)',
      '  with shot.png (image/png, kept as 0123456789ab…)',
    ].join('\n'),
  )
})

test('a document counts by its length, and an image does not', () => {
  const [message] = window
  const large = { ...message, content: [file('b.png', 'image/png', 4_000_000)] } as Message
  const small = { ...message, content: [shot] } as Message
  expect(messagesTokens([large])).toBe(messagesTokens([small]))
  const long = { ...message, content: [file('b.pdf', 'application/pdf', 4_000_000)] } as Message
  expect(messagesTokens([long])).toBeGreaterThan(100_000)
})
