import type { ServerResponse } from 'node:http'
import type { BackendEvent } from '@loader/session-core'
import { describe, expect, test } from 'vitest'
import { ollama } from '../src/index.ts'
import { type Asked, type Loopback, loopback } from './loopback.ts'
import { hear, rejection, request } from './requests.ts'

interface Facts {
  readonly capabilities?: readonly string[]
  readonly template?: string
  readonly length?: number
  readonly remote?: boolean
  /** The window that it is loaded with, or that it is loaded but the server does not tell. */
  readonly loaded?: number | 'untold'
}

const end = { model: 'm', message: { role: 'assistant', content: 'Hi.' }, done: true, done_reason: 'stop' }

/** A server with one model, told as Ollama tells it. */
function ollamaWith(facts: Facts, chat: (response: ServerResponse, asked: Asked) => void = answer): Promise<Loopback> {
  const { capabilities = ['completion', 'tools'], template, length, remote, loaded } = facts
  return loopback((asked, response) => {
    if (asked.path === '/api/chat') return chat(response, asked)
    const pages: { readonly [path: string]: unknown } = {
      '/api/show': {
        ...(template === undefined ? { capabilities } : { template }),
        ...(length !== undefined && { model_info: { 'qwen3.context_length': length } }),
        ...(remote && { remote_model: 'm' }),
      },
      '/api/ps': {
        models:
          loaded === undefined ? [] : [{ name: 'm:latest', ...(loaded !== 'untold' && { context_length: loaded }) }],
      },
    }
    response.writeHead(pages[asked.path] ? 200 : 404).end(JSON.stringify(pages[asked.path]))
  })
}

function answer(response: ServerResponse): void {
  response.end(`${JSON.stringify(end)}\n`)
}

function chatBody({ asked }: Loopback): { [field: string]: any } {
  return JSON.parse(asked.findLast(({ path }) => path === '/api/chat')?.body ?? '{}')
}

describe('the window that a request asks for', () => {
  test.each<[string, Facts, number | undefined, number]>([
    ['is what the caller wants', { length: 131_072 }, 65_536, 65_536],
    ['is no more than the model was made for', { length: 8192 }, 65_536, 8192],
    ['is what the caller wants, when nobody knows what the model was made for', {}, 20_000, 20_000],
    ['is comfortable, when the model can take it', { length: 131_072 }, undefined, 32_768],
    ['is all that the model was made for, when that is less', { length: 4096 }, undefined, 4096],
    [
      'is what the model is loaded with, when that is enough for an agent',
      { length: 131_072, loaded: 24_000 },
      undefined,
      24_000,
    ],
    [
      'is more than what the model is loaded with, when that is too small',
      { length: 131_072, loaded: 4096 },
      undefined,
      32_768,
    ],
    ['is cautious, when nothing is known', {}, undefined, 8192],
  ])('%s', async (_what, facts, contextWindow, expected) => {
    await using server = await ollamaWith(facts)
    const wanted = contextWindow === undefined ? {} : { contextWindow }
    const backend = ollama({ baseUrl: server.url, model: 'm', variables: {}, ...wanted })
    expect((await backend.describe?.())?.contextWindow).toBe(expected)
    await hear(backend.stream(request()))
    expect(chatBody(server)['options'].num_ctx).toBe(expected)
  })

  test('belongs to the server, when the model runs elsewhere', async () => {
    await using server = await ollamaWith({ length: 262_144, remote: true })
    const backend = ollama({ baseUrl: server.url, model: 'm', variables: {} })
    expect((await backend.describe?.())?.contextWindow).toBe(262_144)
    await hear(backend.stream(request()))
    expect(chatBody(server)['options']).not.toHaveProperty('num_ctx')
  })
})

describe('a request', () => {
  test('lets nothing be cut off in silence, and keeps the model loaded', async () => {
    await using server = await ollamaWith({ length: 32_768 })
    await hear(ollama({ baseUrl: server.url, model: 'm', variables: {} }).stream(request()))
    expect(chatBody(server)).toMatchObject({ stream: true, truncate: false, shift: false, keep_alive: '30m' })
  })

  test('says how much to think only to models that can', async () => {
    for (const [capabilities, expected] of [
      [['tools', 'thinking'], 'high'],
      [['tools'], undefined],
    ] as const) {
      await using server = await ollamaWith({ capabilities })
      await hear(ollama({ baseUrl: server.url, model: 'm', think: 'high', variables: {} }).stream(request()))
      expect(chatBody(server)['think']).toBe(expected)
    }
  })

  test('carries what the caller adds, among the options as well', async () => {
    await using server = await ollamaWith({ length: 32_768 })
    const providerOptions = { ollama: { format: 'json', options: { top_k: 7 } } }
    await hear(
      ollama({ baseUrl: server.url, model: 'm', keepAlive: -1, providerOptions, variables: {} }).stream(request()),
    )
    expect(chatBody(server)).toMatchObject({ format: 'json', keep_alive: -1, options: { top_k: 7, num_ctx: 32_768 } })
  })

  test('carries a key to servers that want one', async () => {
    await using server = await ollamaWith({})
    const variables = { OLLAMA_API_KEY: 'key-0123456789' }
    await hear(ollama({ baseUrl: server.url, model: 'm', variables }).stream(request()))
    expect(new Set(server.asked.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer key-0123456789']),
    )
  })

  test('does not ask again what the model is', async () => {
    await using server = await ollamaWith({ loaded: 32_768, length: 32_768 })
    const backend = ollama({ baseUrl: server.url, model: 'm', variables: {}, now: () => 0 })
    await Promise.all([backend.describe?.(), backend.describe?.()])
    for (let round = 0; round < 3; round += 1) await hear(backend.stream(request()))
    const paths = server.asked.map(({ path }) => path)
    expect(paths.filter((path) => path === '/api/show')).toHaveLength(1)
    expect(paths.slice(-2)).toEqual(['/api/chat', '/api/chat'])
  })
})

describe('what the model is', () => {
  test.each<[string, Facts, boolean]>([
    ['by its capabilities', { capabilities: ['completion', 'tools'] }, true],
    ['by its capabilities, without tools', { capabilities: ['completion'] }, false],
    ['by its template, on an older server', { template: '{{ if .Tools }}…{{ end }}' }, true],
    ['by its template, without tools', { template: '{{ .Prompt }}' }, false],
  ])('is known %s', async (_what, facts, nativeTools) => {
    await using server = await ollamaWith(facts)
    const described = await ollama({ baseUrl: server.url, model: 'm', variables: {} }).describe?.()
    expect(described).toMatchObject({ model: 'ollama/m', nativeTools, callFormat: nativeTools ? 'native' : 'json_tag' })
  })

  test('is told with a warning when its window is too small for an agent', async () => {
    await using server = await ollamaWith({ length: 4096 })
    const described = await ollama({ baseUrl: server.url, model: 'm', variables: {} }).describe?.()
    expect(described?.notes?.join()).toMatch(/4096 tokens is too small .* take another model/)
  })

  test('is asked again after a failure', async () => {
    let isUp = false
    await using server = await loopback((_asked, response) => {
      response.writeHead(isUp ? 200 : 500).end(JSON.stringify({ capabilities: ['tools'], models: [] }))
    })
    const backend = ollama({ baseUrl: server.url, model: 'm', variables: {} })
    expect(await rejection(Promise.resolve(backend.describe?.()))).toMatchObject({ failure: { status: 500 } })
    isUp = true
    expect(await backend.describe?.()).toMatchObject({ nativeTools: true })
  })
})

describe('while a model is loaded', () => {
  const firstStatus = async (facts: Facts) => {
    await using server = await ollamaWith(facts)
    const { status } = await hear(ollama({ baseUrl: server.url, model: 'm', variables: {} }).stream(request()))
    return status
  }

  test('it is said that it is', async () => {
    expect(await firstStatus({ length: 32_768 })).toEqual(['Loading ollama/m with a window of 32768 tokens…'])
  })

  test('it is said why it is loaded again', async () => {
    expect(await firstStatus({ length: 32_768, loaded: 4096 })).toEqual([
      'Loading ollama/m again, because it has a window of 4096, with a window of 32768 tokens…',
    ])
  })

  test('nothing is said when it is there already, or when the server does not tell', async () => {
    expect(await firstStatus({ length: 32_768, loaded: 32_768 })).toEqual([])
    expect(await firstStatus({ length: 32_768, loaded: 'untold' })).toEqual([])
  })

  test('it is said every now and then that nothing has come yet', async () => {
    let answerNow = () => {}
    await using server = await ollamaWith({ loaded: 32_768, length: 32_768 }, (response) => {
      answerNow = () => answer(response)
    })
    const backend = ollama({ baseUrl: server.url, model: 'm', statusEveryMs: 5, variables: {} })
    const seen: BackendEvent['type'][] = []
    for await (const event of backend.stream(request())) {
      seen.push(event.type)
      if (seen.length === 3) answerNow()
    }
    expect(seen.slice(0, 3)).toEqual(['status', 'status', 'status'])
    expect(seen.at(-1)).toBe('done')
  })
})

describe('an answer', () => {
  const heard = async (...chunks: readonly object[]) => {
    await using server = await ollamaWith({}, (response) => {
      response.end(chunks.map((chunk) => `${JSON.stringify(chunk)}\n`).join(''))
    })
    return await hear(
      ollama({ baseUrl: server.url, model: 'm', variables: {} }).stream(request({ requestId: 'req_7' })),
    )
  }

  test('gives ids to calls that come without', async () => {
    const call = { function: { name: 'write', arguments: { path: 'a' } } }
    const { done } = await heard({ message: { tool_calls: [call, call] } }, { ...end, message: {} })
    expect(done.content).toMatchObject([{ call: { id: 'req_7_1' } }, { call: { id: 'req_7_2' } }])
    expect(done.finishReason).toBe('tool-calls')
  })

  test('keeps arguments that came as text and are no JSON', async () => {
    const calls = [
      { function: { name: 'write', arguments: '{"path":"a"}' } },
      { function: { name: 'write', arguments: '{"path"' } },
    ]
    const { done } = await heard({ message: { tool_calls: calls } }, { ...end, message: {} })
    expect(done.content).toMatchObject([
      { call: { input: { path: 'a' } } },
      { call: { input: {}, malformed: '{"path"' } },
    ])
  })

  test('tells how long it took, as the server does', async () => {
    const { done } = await heard({ ...end, prompt_eval_count: 9, eval_count: 4, load_duration: 123 })
    expect(done.usage).toEqual({ inputTokens: 9, outputTokens: 4 })
    expect(done.providerMetadata).toEqual({ ollama: { load_duration: 123 } })
  })

  test('without usage tells none', async () => {
    expect((await heard(end)).done).not.toHaveProperty('usage')
  })

  test('that ends in an error is a failure', async () => {
    const error = await rejection(heard({ message: { content: 'Hi' } }, { error: 'an error was encountered' }))
    expect(error).toMatchObject({ failure: { kind: 'other', message: expect.stringContaining('an error was') } })
  })
})
