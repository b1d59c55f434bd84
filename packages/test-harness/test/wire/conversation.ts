import { call } from '../../src/index.ts'
import type { WireLine } from '../../src/wire.ts'

/** Reasoning, text and two calls whose arguments come in fragments; then a text in umlauts. */
export const lines: readonly WireLine[] = [
  {
    reasoning: 'Two files, then.',
    text: 'I read both.',
    calls: [call('read', { path: 'a.txt' }), call('read', { path: 'übung.txt' })],
    chunks: { text: 'word', arguments: 5 },
    usage: { inputTokens: 120, outputTokens: 40, reasoningTokens: 6, cacheReadTokens: 100 },
  },
  {
    text: 'Größe: 12 Äpfel 🍎.',
    chunks: 'character',
    usage: { inputTokens: 200, outputTokens: 9 },
    wire: { bytesPerWrite: 1 },
  },
]

export const question = 'What is in a.txt and übung.txt?'
export const results = ['apples', 'Äpfel'] as const

/** What the tool takes, as JSON Schema. */
export const readSchema = {
  type: 'object' as const,
  properties: { path: { type: 'string' as const } },
  required: ['path'],
}

export const expectedCalls = [
  { id: 'call_1', name: 'read', input: { path: 'a.txt' } },
  { id: 'call_2', name: 'read', input: { path: 'übung.txt' } },
]

export const answers: readonly ('stream' | 'whole')[] = ['stream', 'whole']
