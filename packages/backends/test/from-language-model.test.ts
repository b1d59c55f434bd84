import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { BackendError, type Message } from '@loader/session-core'
import { describe, expect, test } from 'vitest'
import { fromLanguageModel } from '../src/index.ts'
import { assistant, hear, rejection, request, result, user } from './requests.ts'

const usage = {
  inputTokens: { total: 10, noCache: 4, cacheRead: 5, cacheWrite: 1 },
  outputTokens: { total: 7, text: 4, reasoning: 3 },
}
const finish = { type: 'finish', usage, finishReason: { unified: 'stop', raw: 'stop' } } as const

function streamOf<Part>(parts: readonly Part[]): ReadableStream<Part> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

const modelBasics = { provider: 'acme.chat', modelId: 'm1', supportedUrls: {} }
const noGenerate = () => Promise.reject(new Error('Only streams are used.'))

/** A model of specification 4 that keeps what it was asked. */
function modelV4(...parts: readonly LanguageModelV4StreamPart[]) {
  const asked: LanguageModelV4CallOptions[] = []
  const model: LanguageModelV4 = {
    ...modelBasics,
    specificationVersion: 'v4',
    doGenerate: noGenerate,
    doStream: async (options) => {
      asked.push(options)
      return { stream: streamOf(parts) }
    },
  }
  return { model, asked }
}

function modelV3(...parts: readonly LanguageModelV3StreamPart[]) {
  const asked: LanguageModelV3CallOptions[] = []
  const model: LanguageModelV3 = {
    ...modelBasics,
    specificationVersion: 'v3',
    doGenerate: noGenerate,
    doStream: async (options) => {
      asked.push(options)
      return { stream: streamOf(parts) }
    },
  }
  return { model, asked }
}

const pixel = 'iVBORw0KGgo='
const picture: Message = {
  ...user('Look.'),
  content: [
    { type: 'text', text: 'Look.' },
    { type: 'file', mediaType: 'image/png', source: { kind: 'base64', data: pixel } },
    { type: 'file', mediaType: 'application/pdf', name: 'a.pdf', source: { kind: 'url', url: 'https://x.test/a.pdf' } },
  ],
}
const conversation: readonly Message[] = [
  picture,
  assistant('r1', { type: 'call', call: { id: 'own_1', name: 'write', input: { path: 'a' }, providerId: 'call_1' } }),
  {
    ...result('own_1', 'Wrote it.'),
    content: [
      {
        type: 'result',
        callId: 'own_1',
        name: 'write',
        outcome: 'ok',
        text: 'Wrote it.',
        files: [{ type: 'file', mediaType: 'image/png', source: { kind: 'base64', data: pixel } }],
      },
    ],
  },
  user('Thanks.'),
]

describe('a model of specification 4', () => {
  test('gives its text, thoughts and calls, with what it says beyond them', async () => {
    const { model } = modelV4(
      { type: 'stream-start', warnings: [] },
      { type: 'response-metadata', modelId: 'm1-2026' },
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: 'Hm.' },
      { type: 'reasoning-delta', id: '0', delta: '', providerMetadata: { acme: { signature: 'sig' } } },
      { type: 'reasoning-end', id: '0' },
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'Well.' },
      { type: 'text-end', id: '0' },
      { type: 'tool-input-start', id: 'c', toolName: 'write' },
      { type: 'tool-input-delta', id: 'c', delta: '{"path"' },
      { type: 'tool-input-delta', id: 'c', delta: ':"a"}' },
      { type: 'tool-input-end', id: 'c' },
      {
        type: 'tool-call',
        toolCallId: 'c',
        toolName: 'write',
        input: '{"path":"a"}',
        providerMetadata: { acme: { thoughtSignature: 'deep' } },
      },
      { ...finish, providerMetadata: { acme: { tier: 'flex' } } },
    )
    const { done, inputs } = await hear(fromLanguageModel(model).stream(request()))
    expect(inputs).toEqual(['{"path":"a"}'])
    expect(done).toEqual({
      type: 'done',
      content: [
        { type: 'reasoning', text: 'Hm.', providerMetadata: { acme: { signature: 'sig' } } },
        { type: 'text', text: 'Well.' },
        {
          type: 'call',
          call: { id: 'c', name: 'write', input: { path: 'a' } },
          providerMetadata: { acme: { thoughtSignature: 'deep' } },
        },
      ],
      finishReason: 'stop',
      usage: { inputTokens: 10, outputTokens: 7, reasoningTokens: 3, cacheReadTokens: 5, cacheWriteTokens: 1 },
      model: 'acme/m1-2026',
      providerMetadata: { acme: { tier: 'flex' } },
    })
  })

  test('gets back unchanged what it said beyond the words', async () => {
    const { model, asked } = modelV4(finish)
    const answer = assistant(
      'r1',
      { type: 'reasoning', text: 'Hm.', providerMetadata: { acme: { signature: 'sig' } } },
      { type: 'reasoning', text: '', providerMetadata: { acme: { redacted: 'xyz' } } },
      { type: 'text', text: 'Well.', providerMetadata: { acme: { itemId: 'msg_1' } } },
    )
    await hear(fromLanguageModel(model).stream(request({ messages: [user('Go.'), answer, user('And?')] })))
    expect(asked[0]?.prompt[2]).toEqual({
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.', providerOptions: { acme: { signature: 'sig' } } },
        { type: 'reasoning', text: '', providerOptions: { acme: { redacted: 'xyz' } } },
        { type: 'text', text: 'Well.', providerOptions: { acme: { itemId: 'msg_1' } } },
      ],
    })
  })

  test('gets back whole what only its provider understands', async () => {
    const foreign: LanguageModelV4StreamPart[] = [
      { type: 'tool-call', toolCallId: 's', toolName: 'web_search', input: '{"q":"x"}', providerExecuted: true },
      { type: 'tool-result', toolCallId: 's', toolName: 'web_search', result: { hits: 1 } },
      { type: 'custom', kind: 'acme.compaction', providerMetadata: { acme: { sealed: 'abc' } } },
      { type: 'reasoning-file', mediaType: 'image/png', data: { type: 'data', data: pixel } },
    ]
    const first = modelV4(...foreign, { type: 'text-delta', id: '0', delta: 'Found it.' }, finish)
    const { done, inputs } = await hear(fromLanguageModel(first.model).stream(request()))
    expect(inputs).toEqual([])
    expect(done.content.filter(({ type }) => type === 'call')).toEqual([])

    const second = modelV4(finish)
    const messages = [user('Go.'), assistant('r1', ...done.content), user('And?')]
    await hear(fromLanguageModel(second.model).stream(request({ messages })))
    expect(second.asked[0]?.prompt[2]).toMatchObject({
      content: [
        { type: 'tool-call', toolCallId: 's', input: { q: 'x' }, providerExecuted: true },
        { type: 'tool-result', toolCallId: 's', output: { type: 'json', value: { hits: 1 } } },
        { type: 'custom', kind: 'acme.compaction', providerOptions: { acme: { sealed: 'abc' } } },
        { type: 'reasoning-file', mediaType: 'image/png', data: { type: 'data', data: pixel } },
        { type: 'text', text: 'Found it.' },
      ],
    })
  })

  test('is told of files in its own words', async () => {
    const { model, asked } = modelV4(finish)
    await hear(fromLanguageModel(model).stream(request({ messages: conversation })))
    const [, told, , results] = asked[0]?.prompt ?? []
    expect(told?.content).toMatchObject([
      { type: 'text', text: 'Look.' },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: pixel } },
      { type: 'file', filename: 'a.pdf', data: { type: 'url', url: new URL('https://x.test/a.pdf') } },
    ])
    expect(results?.content).toMatchObject([
      {
        toolCallId: 'call_1',
        output: {
          type: 'content',
          value: [
            { type: 'text', text: 'Wrote it.' },
            { type: 'file', mediaType: 'image/png', data: { type: 'data', data: pixel } },
          ],
        },
      },
    ])
  })

  test('keeps apart calls with one id, and blocks that use an id again', async () => {
    const { model } = modelV4(
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'one' },
      { type: 'text-end', id: '0' },
      { type: 'tool-call', toolCallId: 'c', toolName: 'write', input: '{"path":"a"}' },
      { type: 'tool-call', toolCallId: 'c', toolName: 'write', input: '{"path":"b"}' },
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'two' },
      { type: 'text-end', id: '0' },
      { type: 'text-delta', id: '0', delta: 'late' },
      finish,
    )
    const { done, inputs } = await hear(fromLanguageModel(model).stream(request()))
    expect(inputs).toEqual(['{"path":"a"}', '{"path":"b"}'])
    expect(done.content).toMatchObject([
      { text: 'one' },
      { call: { input: { path: 'a' } } },
      { call: { input: { path: 'b' } } },
      { text: 'two' },
      { text: 'late' },
    ])
  })

  test('a call that was begun and never finished is kept as text', async () => {
    const { model } = modelV4(
      { type: 'tool-input-start', id: 'c', toolName: 'write' },
      { type: 'tool-input-delta', id: 'c', delta: '{"path": "a' },
      { ...finish, finishReason: { unified: 'length', raw: 'length' } },
    )
    const { done } = await hear(fromLanguageModel(model).stream(request()))
    expect(done.content).toEqual([
      { type: 'call', call: { id: 'c', name: 'write', input: {}, malformed: '{"path": "a' } },
    ])
  })

  test('files that it makes are part of the answer', async () => {
    const { model } = modelV4(
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: new Uint8Array([1, 2, 3]) } },
      { type: 'file', mediaType: 'image/png', data: { type: 'url', url: new URL('https://x.test/i.png') } },
      finish,
    )
    expect((await hear(fromLanguageModel(model).stream(request()))).done.content).toEqual([
      { type: 'file', mediaType: 'image/png', source: { kind: 'base64', data: 'AQID' } },
      { type: 'file', mediaType: 'image/png', source: { kind: 'url', url: 'https://x.test/i.png' } },
    ])
  })

  test('what it cannot do is said', async () => {
    const warnings = [
      { type: 'unsupported', feature: 'temperature', details: 'It reasons.' },
      { type: 'deprecated', setting: 'x', message: 'Use y.' },
    ] as const
    const { model } = modelV4({ type: 'stream-start', warnings: [...warnings] }, finish)
    expect((await hear(fromLanguageModel(model).stream(request()))).status).toEqual([
      'The model does not support temperature: It reasons.',
      'x is deprecated: Use y.',
    ])
  })

  test.each([
    ['closes without a finish', []],
    ['finishes as interrupted', [{ ...finish, finishReason: { unified: 'interrupted', raw: undefined } }]],
  ] as const)('a stream that %s is interrupted', async (_what, end) => {
    const { model } = modelV4({ type: 'text-delta', id: '0', delta: 'Hi' }, ...end)
    const error = await rejection(hear(fromLanguageModel(model).stream(request())))
    expect(error).toMatchObject({ failure: { kind: 'interrupted' } })
  })

  test.each([
    ['a text', 'It burns.', 'other'],
    ['an error', new Error('It burns.'), 'other'],
    ['the words of a provider', { type: 'overloaded_error', message: 'Overloaded' }, 'overloaded'],
    [
      'a failed request of fetch',
      new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }),
      'connection',
    ],
  ])('an error part with %s throws', async (_what, error, kind) => {
    const { model } = modelV4({ type: 'error', error }, finish)
    const thrown = await rejection(hear(fromLanguageModel(model).stream(request())))
    expect(thrown).toBeInstanceOf(BackendError)
    expect(thrown).toMatchObject({ failure: { kind } })
  })

  test('what it throws never carries a cause: whoever prints an error prints its causes', async () => {
    const { model } = modelV4()
    const request_ = { headers: { authorization: 'Bearer abcdefgh12345678' } }
    const failing: LanguageModelV4 = {
      ...model,
      doStream: () => Promise.reject(Object.assign(new Error('No: Bearer abcdefgh12345678'), { request: request_ })),
    }
    const error = await rejection(hear(fromLanguageModel(failing).stream(request())))
    expect(error).toMatchObject({ message: 'acme/m1 failed: No: Bearer [secret]' })
    expect(error).not.toHaveProperty('cause')
  })

  test('a model that ignores the signal is left all the same', async () => {
    const { model } = modelV4()
    const deaf: LanguageModelV4 = { ...model, doStream: () => new Promise(() => {}) }
    const abort = new AbortController()
    const heard = rejection(hear(fromLanguageModel(deaf).stream(request(), { signal: abort.signal })))
    abort.abort('enough')
    expect(await heard).toBe('enough')
  })
})

test('a model that knows no signal is left by cancelling its stream', async () => {
  const left: unknown[] = []
  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    pull: (controller) => controller.enqueue({ type: 'text-delta', id: '0', delta: 'on and on' }),
    cancel: () => void left.push('left'),
  })
  const endless: LanguageModelV4 = { ...modelV4().model, doStream: async () => ({ stream }) }
  for await (const event of fromLanguageModel(endless).stream(request())) if (event.type === 'text') break
  expect(left).toEqual(['left'])
})

describe('a model of specification 3', () => {
  test('answers', async () => {
    const { model } = modelV3({ type: 'text-delta', id: '0', delta: 'Hi.' }, finish)
    const { done } = await hear(fromLanguageModel(model).stream(request()))
    expect(done.content).toEqual([{ type: 'text', text: 'Hi.' }])
  })

  test('is told of files in the words of its version', async () => {
    const { model, asked } = modelV3(finish)
    await hear(fromLanguageModel(model).stream(request({ messages: conversation })))
    const [, told, , results] = asked[0]?.prompt ?? []
    expect(told?.content).toMatchObject([
      { type: 'text' },
      { type: 'file', mediaType: 'image/png', data: pixel },
      { type: 'file', data: new URL('https://x.test/a.pdf') },
    ])
    expect(results?.content).toMatchObject([
      { output: { type: 'content', value: [{ type: 'text' }, { type: 'image-data', data: pixel }] } },
    ])
  })

  test('has no word for a stream that was cut off: one that ends without a reason and without usage is', async () => {
    const unknown = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined }
    const { model } = modelV3(
      { type: 'text-delta', id: '0', delta: 'Hi' },
      {
        type: 'finish',
        finishReason: { unified: 'other', raw: undefined },
        usage: { inputTokens: unknown, outputTokens: { total: undefined, text: undefined, reasoning: undefined } },
      },
    )
    const error = await rejection(hear(fromLanguageModel(model).stream(request())))
    expect(error).toMatchObject({ failure: { kind: 'interrupted' } })
  })
})

test('a model of an older specification is refused by name', () => {
  const old = { ...modelV4().model, specificationVersion: 'v2' }
  // @ts-expect-error The types know no such version.
  expect(() => fromLanguageModel(old)).toThrow(/m1 follows specification v2 .* v3 and v4/)
})

test('the name and the profile are those of the caller, else what the model says of itself', async () => {
  const { model } = modelV4(finish)
  expect(fromLanguageModel(model).id).toBe('acme/m1')
  const backend = fromLanguageModel(model, {
    id: 'mine/x',
    capabilities: { contextWindow: 99_000, nativeTools: false },
  })
  expect(await backend.describe?.()).toMatchObject({
    model: 'mine/x',
    contextWindow: 99_000,
    nativeTools: false,
    callFormat: 'json_tag',
  })
})

test('options of the provider go with every request', async () => {
  const { model, asked } = modelV4(finish)
  const providerOptions = { acme: { effort: 'high' } }
  await hear(fromLanguageModel(model, { providerOptions }).stream(request()))
  expect(asked[0]?.providerOptions).toEqual(providerOptions)
})
