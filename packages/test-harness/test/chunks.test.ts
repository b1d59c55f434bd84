import { callsOf, textOf } from '@loader/session-core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { call, ScriptedBackend } from '../src/index.ts'
import { ask, deltas, last } from './asking.ts'

describe('chunks', () => {
  test('come by character, without cutting one in half', async () => {
    const events = await ask(new ScriptedBackend({ text: 'hé🙂', reasoning: 'ab', chunks: 'character' }))
    expect(deltas(events, 'text')).toEqual(['h', 'é', '🙂'])
    expect(deltas(events, 'reasoning')).toEqual(['a', 'b'])
  })

  test('come by word, with the space before it', async () => {
    const events = await ask(new ScriptedBackend({ text: ' One  two\nthree. ', chunks: 'word' }))
    expect(deltas(events, 'text')).toEqual([' One', '  two', '\nthree.', ' '])
  })

  test('come as listed, so that a call in raw text is split where it hurts', async () => {
    const chunks = ['<tool', '_call>{"name":"wri', 'te"}</tool_call>']
    const events = await ask(new ScriptedBackend({ reasoning: 'Write it.', chunks }))
    expect(deltas(events, 'reasoning')).toEqual(['Write it.'])
    expect(deltas(events, 'text')).toHaveLength(3)
    expect(textOf(last(events).content)).toBe('<tool_call>{"name":"write"}</tool_call>')
    expect(last(events).finishReason).toBe('stop')
  })

  test('cut the arguments of calls into fragments, call by call', async () => {
    const calls = [call('read', { path: 'a.txt' }), call('list', {}, { raw: '' })]
    const events = await ask(new ScriptedBackend({ text: 'Both.', calls, chunks: { arguments: 6 } }))
    expect(events.filter(({ type }) => type === 'call_input')).toEqual([
      { type: 'call_input', index: 0, name: 'read', delta: '{"path' },
      { type: 'call_input', index: 0, name: 'read', delta: '":"a.t' },
      { type: 'call_input', index: 0, name: 'read', delta: 'xt"}' },
      { type: 'call_input', index: 1, name: 'list', delta: '' },
    ])
    expect(deltas(events, 'text')).toEqual(['Both.'])
  })

  test('always add up to the answer', async () => {
    const style = fc.constantFrom('whole' as const, 'word' as const, 'character' as const)
    const input = fc.dictionary(fc.string(), fc.string())
    const lines = fc.record({ text: fc.string({ unit: 'binary' }), style, size: fc.integer({ min: 1, max: 9 }), input })
    await fc.assert(
      fc.asyncProperty(lines, async ({ text, style: by, size, input: args }) => {
        const chunks = { text: by, arguments: size }
        const events = await ask(new ScriptedBackend({ text, calls: [call('write', args)], chunks }))
        expect(deltas(events, 'text').join('')).toBe(text)
        expect(JSON.parse(deltas(events, 'call_input').join(''))).toEqual(callsOf(last(events).content)[0]?.input)
      }),
    )
  })
})
