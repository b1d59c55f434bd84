import type { Backend, Message } from '@loader/session-core'
import { expect, test } from 'vitest'
import { stage } from './scene/stage.ts'

/** More of such texts would be folded into a summary. */
const turns = 3

/** A model that looks something up again and again, and keeps what it was sent as it came. */
function watching(sent: (readonly Message[])[]): Backend {
  return {
    id: 'test/model',
    async *stream({ messages }) {
      sent.push(messages)
      const number = sent.length
      const call = { id: `call_${number}`, name: 'read', input: { file_path: 'long.txt', offset: number } }
      const text = { type: 'text' as const, text: number > turns ? 'Read.' : 'I read on.' }
      const content = number > turns ? [text] : [text, { type: 'call' as const, call }]
      yield { type: 'done', content, finishReason: number > turns ? 'stop' : 'tool-calls' }
    },
  }
}

test.each([
  ['calls of its own', true],
  ['calls in words', false],
])(
  'a model with %s is sent what it was sent before as the same objects, long texts too',
  async (_name, nativeTools) => {
    const sent: (readonly Message[])[] = []
    const files = { 'long.txt': `${'a line that is long. '.repeat(20)}\n`.repeat(200) }
    await using set = await stage([], {
      backend: watching(sent),
      files,
      config: { nativeTools, contextWindow: 200_000 },
    })
    expect(await set.agent.run('Read it.')).toMatchObject({ reason: 'turn_complete' })
    expect(sent.length).toBeGreaterThan(turns)
    const long =
      sent
        .at(-1)
        ?.flatMap(({ content }) => content)
        .filter((part) => 'text' in part) ?? []
    expect(long.some(({ text }) => typeof text === 'string' && text.length > 70_000)).toBe(nativeTools)
    for (const [index, messages] of sent.slice(1).entries()) {
      const before = sent[index] ?? []
      expect(messages.length).toBeGreaterThan(before.length)
      expect(before.every((message, at) => message === messages[at])).toBe(true)
    }
  },
)
