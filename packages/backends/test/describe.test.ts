import { describe, expect, test } from 'vitest'
import { anthropic, openai, openaiCompatible } from '../src/index.ts'
import { deserted, jsonServer, type Loopback, loopback } from './loopback.ts'
import { rejection } from './requests.ts'

const variables = {}

async function described(pages: Parameters<typeof jsonServer>[0], more: object = {}) {
  await using server = await jsonServer(pages)
  const backend = openaiCompatible({ baseUrl: `${server.url}/v1`, model: 'm', provider: 'local', variables, ...more })
  return { ...(await backend.describe?.()), asked: server.asked.map(({ path }) => path) }
}

describe('a server with the interface of OpenAI tells its window', () => {
  test('vLLM, in its list of models', async () => {
    expect(await described({ '/v1/models': { data: [{ id: 'm', max_model_len: 40_960 }] } })).toMatchObject({
      model: 'local/m',
      contextWindow: 40_960,
      nativeTools: true,
      asked: ['/v1/models'],
    })
  })

  test.each(['context_length', 'context_window', 'max_context_length'])('a cloud, as %s', async (field) => {
    const { contextWindow } = await described({ '/v1/models': { data: [{ id: 'x' }, { id: 'm', [field]: 131_072 }] } })
    expect(contextWindow).toBe(131_072)
  })

  test('llama.cpp, in its properties', async () => {
    const props = { default_generation_settings: { n_ctx: 24_576 }, chat_template_caps: { supports_tools: false } }
    const models = { data: [{ id: 'm', meta: { n_ctx_train: 131_072 } }] }
    expect(await described({ '/v1/models': models, '/props': props })).toMatchObject({
      contextWindow: 24_576,
      nativeTools: false,
      callFormat: 'json_tag',
    })
  })

  test('LM Studio, in its own list', async () => {
    const model = { id: 'm', type: 'llm', state: 'loaded', loaded_context_length: 20_000, max_context_length: 40_000 }
    const pages = {
      '/v1/models': { data: [{ id: 'm' }] },
      '/api/v0/models': { data: [{ ...model, capabilities: ['tool_use'] }] },
    }
    expect(await described(pages)).toMatchObject({ contextWindow: 20_000, nativeTools: true })
  })

  test('Ollama, of a model that is loaded', async () => {
    const pages = ollamaPages({ loaded: 8192 })
    const { contextWindow, notes } = await described(pages)
    expect(contextWindow).toBe(8192)
    expect(notes?.join()).toContain('OLLAMA_CONTEXT_LENGTH')
  })

  test('Ollama, of a model that will be loaded with what it takes by itself', async () => {
    expect((await described(ollamaPages({}))).contextWindow).toBe(4096)
  })

  test('or not at all: then it is assumed to be small', async () => {
    const { contextWindow, notes } = await described({ '/v1/models': { data: [{ id: 'm' }] } })
    expect(contextWindow).toBe(8192)
    expect(notes?.join()).toContain('assumed')
  })
})

function ollamaPages({ loaded }: { readonly loaded?: number }) {
  return {
    '/v1/models': { data: [{ id: 'm:latest' }] },
    '/api/tags': { models: [{ name: 'm:latest' }] },
    '/api/ps': { models: loaded === undefined ? [] : [{ name: 'm:latest', context_length: loaded }] },
    '/api/show': { capabilities: ['tools'], model_info: { 'qwen3.context_length': 40_960 } },
  }
}

test('what the caller knows goes before what the server says', async () => {
  const pages = { '/v1/models': { data: [{ id: 'm', max_model_len: 40_960 }] } }
  expect((await described(pages, { contextWindow: 10_000 })).contextWindow).toBe(10_000)
  const capabilities = { nativeTools: false, verificationStrictness: 'strict', callFormat: 'bracket' }
  expect(await described(pages, { contextWindow: 10_000, capabilities })).toMatchObject({ ...capabilities, asked: [] })
})

test('a server is asked once, and again after a failure', async () => {
  const up: Loopback[] = []
  const address = await deserted()
  const backend = openaiCompatible({ baseUrl: `${address}/v1`, model: 'm', variables })
  expect(await rejection(Promise.resolve(backend.describe?.()))).toMatchObject({ failure: { kind: 'connection' } })

  await using server = await jsonServer({ '/v1/models': { data: [{ id: 'm', max_model_len: 40_960 }] } })
  up.push(server)
  const living = openaiCompatible({ baseUrl: `${server.url}/v1`, model: 'm', variables })
  await Promise.all([living.describe?.(), living.describe?.()])
  await living.describe?.()
  expect(up[0]?.asked).toHaveLength(1)
})

test('asking can be given up', async () => {
  await using server = await loopback(() => {})
  const backend = openaiCompatible({ baseUrl: server.url, model: 'm', variables })
  const abort = new AbortController()
  const asked = rejection(Promise.resolve(backend.describe?.({ signal: abort.signal })))
  abort.abort('enough')
  expect(await asked).toBe('enough')
})

test('the clouds do not tell, so that what all their models have is assumed', async () => {
  const apiKey = 'sk-test-0123456789'
  expect(await anthropic({ model: 'claude', apiKey, variables }).describe?.()).toMatchObject({
    contextWindow: 200_000,
    nativeTools: true,
    callFormat: 'native',
    notes: ['a window of 200000 tokens is assumed'],
  })
  expect(await openai({ model: 'gpt', apiKey, contextWindow: 400_000, variables }).describe?.()).toMatchObject({
    contextWindow: 400_000,
    notes: [],
  })
})
