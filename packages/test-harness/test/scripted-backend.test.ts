import { callsOf, type JsonObject, type Message, type ModelRequest, textOf } from '@loader/session-core'
import { describe, expect, test } from 'vitest'
import { call, type Completion, line, ScriptedBackend } from '../src/index.ts'
import { ask, collect, last, request, user, watch } from './asking.ts'

describe('an answer', () => {
  test('streams reasoning, text and calls, and ends with all of them', async () => {
    const usage = { inputTokens: 7, outputTokens: 3 }
    const backend = new ScriptedBackend({ ...line('On it.', call('write', { path: 'a' })), reasoning: 'Hm.', usage })
    expect(await ask(backend)).toEqual([
      { type: 'reasoning', delta: 'Hm.' },
      { type: 'text', delta: 'On it.' },
      { type: 'call_input', index: 0, name: 'write', delta: '{"path":"a"}' },
      {
        type: 'done',
        content: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'text', text: 'On it.' },
          { type: 'call', call: { id: 'call_1', name: 'write', input: { path: 'a' } } },
        ],
        finishReason: 'tool-calls',
        usage,
        model: 'scripted/model',
      },
    ])
  })

  test('without calls stops, and tells no usage that the script does not name', async () => {
    const { finishReason, usage } = last(await ask(new ScriptedBackend(line('Done.'))))
    expect({ finishReason, usage }).toEqual({ finishReason: 'stop', usage: undefined })
  })

  test('ends for the reason that the script gives', async () => {
    const backend = new ScriptedBackend({ text: 'To be con', finishReason: 'length' })
    expect(last(await ask(backend)).finishReason).toBe('length')
  })

  test('keeps an order of its own, with files and what is opaque', async () => {
    const content = [
      { type: 'reasoning', text: 'First.', providerMetadata: { signature: 'abc' } },
      { type: 'call', call: { name: 'read', input: {}, id: 'r1' } },
      { type: 'reasoning', text: 'Then.' },
      { type: 'file', mediaType: 'image/png', source: { kind: 'url', url: 'https://example.invalid/a.png' } },
      { type: 'text', text: 'So.' },
    ] as const
    const events = await ask(new ScriptedBackend({ content }))
    expect(events.map(({ type }) => type)).toEqual(['reasoning', 'call_input', 'reasoning', 'text', 'done'])
    expect(last(events).content).toEqual(content)
  })

  test('may be changed by whoever gets it, without changing the script', async () => {
    const input = { path: 'a' }
    const script = [line(call('write', input)), line(call('write', input))]
    const backend = ScriptedBackend.from(script)
    const [first] = callsOf(last(await ask(backend)).content)
    Object.assign(first?.input as object, { path: 'changed' })
    input.path = 'changed too'
    expect(callsOf(last(await ask(backend)).content)).toMatchObject([{ input: { path: 'a' } }])
  })

  test('can depend on the request and on its number', async () => {
    const echo = ({ messages }: ModelRequest, number: number) =>
      line(`${number}: ${textOf(messages[0]?.content ?? [])}`)
    const backend = new ScriptedBackend(line('First.'), echo, async (asked, number) => line(`${number}`, call('again')))
    await ask(backend)
    expect(last(await ask(backend)).content).toEqual([{ type: 'text', text: '2: Hello?' }])
    expect(callsOf(last(await ask(backend)).content)).toEqual([{ id: 'call_3_1', name: 'again', input: {} }])
  })

  test('is not made for a request that was aborted before it came', async () => {
    let made = 0
    const backend = new ScriptedBackend(() => line(`${(made += 1)}`))
    await watch(backend, AbortSignal.abort())
    expect(made).toBe(0)
  })

  test('that a function makes is checked like a written one', async () => {
    const backend = new ScriptedBackend(() => ({ txt: 'typing error' }) as Completion)
    await expect(ask(backend)).rejects.toThrow(/Line 1 of the script is wrong[^]*"txt"/)
  })
})

describe('requests', () => {
  test('are kept as they were when they came', async () => {
    const backend = new ScriptedBackend(line('One.'), line('Two.'))
    const messages = [user('Hello?')]
    const asked = { ...request(), messages }
    const stream = backend.stream(asked)
    messages.push(user('Changed.'))
    Object.assign(messages[0] as object, { role: 'system' })
    for await (const _event of stream) continue
    await ask(backend, undefined, asked)
    expect(backend.requests.map((one) => one.messages.map(({ role }) => role))).toEqual([['user'], ['system', 'user']])
  })

  test('cannot be changed later', async () => {
    const backend = new ScriptedBackend(line('One.'))
    await ask(backend)
    const messages = backend.requests[0]?.messages ?? []
    expect(() => (messages as Message[]).push(user('More.'))).toThrow(TypeError)
    expect(() => Object.assign(messages[0]?.content[0] ?? {}, { text: '' })).toThrow(TypeError)
  })

  test('share what is the same in both, so that a long history is kept once', async () => {
    const backend = new ScriptedBackend(line('One.'), line('Two.'))
    await ask(backend, undefined, request(user('Hello?')))
    await ask(backend, undefined, request(user('Hello?'), user('And now?')))
    expect(backend.requests[1]?.messages[0]).toBe(backend.requests[0]?.messages[0])
  })

  test('keep the order of keys that they came with, which decides what a provider can cache', async () => {
    const backend = new ScriptedBackend(line('One.'), line('Two.'))
    const tool = (inputSchema: JsonObject) => ({
      ...request(),
      tools: [{ name: 'read', description: '', inputSchema }],
    })
    await ask(backend, undefined, tool({ a: 1, b: 2 }))
    await ask(backend, undefined, tool({ b: 2, a: 1 }))
    expect(backend.requests.map(({ tools }) => Object.keys(tools[0]?.inputSchema ?? {}).join())).toEqual(['a,b', 'b,a'])
  })

  test('may carry more than a model is told: tools that can run stay as they are', async () => {
    const run = () => 'result'
    const schema = new Map([['a', 1]])
    const tool = { name: 'read', description: 'Reads.', inputSchema: {}, run, schema }
    const backend = new ScriptedBackend(line('One.'))
    await ask(backend, undefined, { ...request(), tools: [tool] })
    expect(backend.requests[0]?.tools[0]).toEqual(tool)
    expect(Object.isFrozen(schema)).toBe(false)
  })

  test('that come at the same time get the lines in the order in which they came', async () => {
    const backend = new ScriptedBackend(line('First.'), line('Second.'))
    const [first, second] = [backend.stream(request()), backend.stream(request())]
    const texts = [textOf(last(await collect(second)).content), textOf(last(await collect(first)).content)]
    expect(texts).toEqual(['Second.', 'First.'])
  })
})

describe('a script that does not fit', () => {
  const asked = (...messages: readonly Message[]) => [undefined, request(...messages)] as const

  test('refuses one request too many, with its number and its last message', async () => {
    const backend = new ScriptedBackend(line('One.'))
    await ask(backend)
    await expect(ask(backend, ...asked(user('Hello?'), user('Are you there?')))).rejects.toThrow(
      'Request 2 has no line: the script has 1. The request ends with a message of the user: "Are you there?".',
    )
  })

  test('names the result that it was asked about', async () => {
    const at = '2026-01-01T00:00:00.000Z'
    const part = { type: 'result', callId: 'call_1', name: 'write', outcome: 'failed', text: 'No space.' } as const
    const result: Message = { id: 'call_1', role: 'tool', origin: 'tool', content: [part], at }
    const backend = new ScriptedBackend()
    await expect(ask(backend, ...asked(result))).rejects.toThrow('ends with the result of write (failed): "No space."')
    await expect(ask(backend, ...asked())).rejects.toThrow('Request 2 has no line: the script has 0.')
  })

  test('names the lines that were never asked for', async () => {
    const named = () => line('Late.')
    const backend = new ScriptedBackend(
      line('One.'),
      line('Two.', call('write', { path: 'a.txt' })),
      { fault: { type: 'stall' } },
      named,
      () => line(),
      line(),
    )
    await ask(backend)
    expect(() => backend.assertDone()).toThrow(
      [
        '5 of 6 lines were never asked for:',
        '  line 2: "Two.", write({"path":"a.txt"})',
        '  line 3: fault stall',
        '  line 4: the function named',
        '  line 5: a function',
        '  line 6: an empty answer',
      ].join('\n'),
    )
  })

  test('is not done either when a loop swallowed the error of a request too many', async () => {
    const backend = new ScriptedBackend(line('One.'))
    await ask(backend)
    expect(() => backend.assertDone()).not.toThrow()
    await watch(backend)
    expect(() => backend.assertDone()).toThrow('Request 2 has no line')
  })
})

describe('what the model says of itself', () => {
  test('is scripted, and its name stands in every answer', async () => {
    const capabilities = { model: 'small/one', nativeTools: false, contextWindow: 4096 }
    const backend = ScriptedBackend.from([line('Done.')], { capabilities })
    expect(backend.id).toBe('small/one')
    expect(await backend.describe()).toEqual({ streaming: true, ...capabilities })
    expect(last(await ask(backend)).model).toBe('small/one')
  })

  test('by default is a model that calls tools natively', async () => {
    expect(await new ScriptedBackend().describe()).toEqual({
      model: 'scripted/model',
      nativeTools: true,
      streaming: true,
    })
  })
})
