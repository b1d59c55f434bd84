import { describe, expect, test } from 'vitest'
import { fromModelMessages, LoaderError, type ModelMessageShape, toModelMessages } from '../src/index.ts'
import { expectSound, take, thereAndBack } from './conversions.ts'
import { at, user } from './sample-messages.ts'

describe('a message that cannot be read', () => {
  const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`)
  const circular: unknown[] = []
  circular.push(circular)
  const toolCall = (fields: object) => ({
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'read', ...fields }],
  })
  const toolResult = (output: unknown) => ({
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'read', output }],
  })

  test.each<[ModelMessageShape, string, unknown]>([
    ['openai', 'it', null],
    ['openai', 'it', undefined],
    ['openai', 'it', 'Hi'],
    ['openai', 'it', []],
    ['openai', 'its field role', {}],
    ['openai', 'its field role', { role: 'robot', content: 'Hi' }],
    ['openai', 'its field content', { role: 'user' }],
    ['openai', 'its field content', { role: 'user', content: null }],
    ['openai', 'its field content.1.type', { role: 'user', content: [{ type: 'text', text: '' }, { type: 'video' }] }],
    ['openai', 'its field content.0.text', { role: 'assistant', content: [{ type: 'text' }] }],
    ['openai', 'its field content.0.image_url', { role: 'user', content: [{ type: 'image_url', image_url: 'a' }] }],
    ['openai', 'its field tool_call_id', { role: 'tool', content: 'x' }],
    ['openai', 'its field content', { role: 'tool', tool_call_id: 'a', content: { found: true } }],
    ['openai', 'its field tool_calls', { role: 'assistant', content: null, tool_calls: {} }],
    [
      'openai',
      'its field tool_calls.0.id',
      { role: 'assistant', tool_calls: [{ type: 'function', function: { name: 'a', arguments: '' } }] },
    ],
    [
      'openai',
      'its field tool_calls.0.function.name',
      { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: '', arguments: '' } }] },
    ],
    [
      'openai',
      'its field tool_calls.0.function.arguments',
      { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'a', arguments: {} } }] },
    ],
    ['ai-sdk', 'it', null],
    ['ai-sdk', 'its field role', { role: 'developer', content: 'Hi' }],
    ['ai-sdk', 'its field content', { role: 'system', content: [] }],
    ['ai-sdk', 'its field content', { role: 'tool', content: 'x' }],
    ['ai-sdk', 'its field content.0.toolCallId', { role: 'tool', content: [{ type: 'tool-result' }] }],
    ['ai-sdk', 'its field content.0.output', toolResult(undefined)],
    ['ai-sdk', 'its field content.0.output.type', toolResult({ type: 'yaml', value: '' })],
    ['ai-sdk', 'its field content.0.output.value', toolResult({ type: 'json', value: circular })],
    [
      'ai-sdk',
      'its field content.0.output.value.0.data',
      toolResult({ type: 'content', value: [{ type: 'file', data: 1, mediaType: 'a/b' }] }),
    ],
    ['ai-sdk', 'its field content.0.input', toolCall({ input: 1n })],
    ['ai-sdk', 'its field content.0.input', toolCall({ input: deep })],
    ['ai-sdk', 'its field content.0.providerOptions', toolCall({ input: {}, providerOptions: { openai: 'x' } })],
    [
      'ai-sdk',
      'its field content.0.data',
      { role: 'user', content: [{ type: 'file', data: { 0: 137 }, mediaType: 'image/png' }] },
    ],
    ['ai-sdk', 'its field content.0.type', { role: 'user', content: [{ type: 'reasoning', text: '' }] }],
  ])('is refused with its place and field: %s, %s', (shape, field, bad) => {
    const program = shape === 'openai' ? 'the OpenAI Chat Completions API' : 'the AI SDK'
    const error = refusalOf(() => take([user('Hi'), bad], shape))
    expect(error.code).toBe('invalid_message')
    expect(error.message).toContain(`messages[1] is not a message of ${program}: ${field} is wrong (`)
    expect(error.message).toContain('Nothing was converted; correct this message or leave it out.')
  })

  test('is also one that is missing from the array', () => {
    const sparse = [user('Hi')]
    sparse[2] = user('there')
    expect(refusalOf(() => take(sparse, 'openai')).message).toContain('messages[1]')
  })

  test('is no array of messages', () => {
    const notAnArray: unknown = { role: 'user', content: 'Hi' }
    const error = refusalOf(() =>
      Reflect.apply(fromModelMessages, undefined, [notAnArray, 'openai', { newId: () => 'x', at }]),
    )
    expect(error.message).toContain('The messages are not an array.')
  })

  test('is in no shape that is known', () => {
    for (const shape of ['gemini', 'toString', undefined]) {
      const error = refusalOf(() => Reflect.apply(toModelMessages, undefined, [[], shape]))
      expect(error.message).toContain('Use "openai" or "ai-sdk".')
    }
  })

  test('is not one with fields that are too deep, or not for JSON; those go', () => {
    for (const levels of [480, 490, 495, 500, 505, 2000]) {
      const nested = JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
      const odd = { deep: nested, later: () => 1, big: 1n, none: undefined }
      expectSound(take([{ role: 'user', content: 'Hi', ...odd }], 'openai'))
      expectSound(take([{ role: 'assistant', content: null, ...odd }], 'openai'))
      expectSound(take([{ role: 'user', content: [{ type: 'text', text: 'Hi', ...odd }] }], 'openai'))
    }
    const hostile = JSON.parse('{"role":"user","content":"Hi","__proto__":{"polluted":true}}')
    expect(thereAndBack([hostile], 'openai')).toEqual([user('Hi')])
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  test('is not one with fields that nobody here has heard of', () => {
    expect(take([{ role: 'user', content: 'Hi', mood: 'good', later: () => 1 }], 'openai').losses).toEqual([])
    expect(thereAndBack([{ role: 'user', content: 'Hi', id: 'm1', createdAt: new Date(at) }], 'ai-sdk')).toEqual([
      user('Hi'),
    ])
  })
})

function refusalOf(work: () => unknown): LoaderError {
  try {
    work()
  } catch (error) {
    if (LoaderError.is(error)) return error
    throw error
  }
  throw new Error('It was not refused.')
}
