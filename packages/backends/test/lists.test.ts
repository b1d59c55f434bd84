import { expect, test } from 'vitest'
import { wireServer } from '@loader/test-harness/wire'
import {
  type AskOptions,
  backendFor,
  checkKey,
  knownProviders,
  listModels,
  type ListModelsOptions,
} from '../src/index.ts'
import { nearest } from '../src/lists/nearest.ts'
import { jsonServer, type Loopback, loopback } from './loopback.ts'
import { hear, rejection, request } from './requests.ts'

const key = 'sk-test-0123456789abcdef'

const modelsOf = async (name: string, options: ListModelsOptions) => {
  const [listed] = await listModels({ variables: {}, apiKey: key, only: [name], ...options })
  return listed
}

const at = ({ url }: Loopback, api: 'openai-compatible' | 'anthropic' | 'google' = 'openai-compatible') => ({
  providers: { mine: { api, baseUrl: url } },
})

test('every provider with a key is asked, the others are not', async () => {
  const asked: string[] = []
  const listed = await listModels({
    variables: { MISTRAL_API_KEY: key, XAI_API_KEY: key },
    fetch: async (target) => {
      asked.push(typeof target === 'string' ? new URL(target).host : '')
      return Response.json({ data: [{ id: 'm' }] })
    },
  })
  expect(asked.toSorted()).toEqual(['api.mistral.ai', 'api.x.ai'])
  const states = Object.fromEntries(listed.map(({ name, state }) => [name, state]))
  expect(states).toMatchObject({ mistral: 'listed', xai: 'listed', openai: 'no_key', azure: 'no_list' })
  expect(listed.find(({ name }) => name === 'xai')?.models).toEqual([{ name: 'xai/m' }])
})

test.each(['anthropic', 'openai', 'google'] as const)('%s lists its models in its own way', async (name) => {
  const models = [{ id: 'one', contextWindow: 50_000 }, { id: 'two' }]
  await using server = await wireServer({ lines: [], key, models })
  const baseUrl = name === 'openai' ? `${server.url}/v1` : server.url
  const listed = await modelsOf(name, { baseUrl })
  expect(listed?.state).toBe('listed')
  expect(listed?.models.map((model) => model.name)).toEqual([`${name}/one`, `${name}/two`])
  if (name !== 'openai') expect(listed?.models[0]?.contextWindow).toBe(50_000)
  const wrong = await modelsOf(name, { baseUrl, apiKey: 'sk-wrong-0123456789' })
  expect(wrong).toMatchObject({ state: 'failed', problem: { kind: 'auth' }, models: [] })
  expect(JSON.stringify(wrong)).not.toContain('sk-wrong')
})

test.each([
  [
    'Groq',
    {
      data: [
        { id: 'm', context_window: 9, active: true },
        { id: 'old', active: false },
      ],
    },
    { contextWindow: 9 },
  ],
  [
    'OpenRouter',
    {
      data: [
        {
          id: 'm',
          context_length: 9,
          supported_parameters: ['tools', 'reasoning'],
          architecture: { input_modalities: ['text'] },
        },
      ],
    },
    { contextWindow: 9, nativeTools: true, thinking: true, images: false },
  ],
  [
    'Mistral',
    {
      data: [
        {
          id: 'm',
          max_context_length: 9,
          capabilities: { completion_chat: true, function_calling: true, vision: false, reasoning: true },
        },
        { id: 'no-chat', capabilities: { completion_chat: false } },
      ],
    },
    { contextWindow: 9, nativeTools: true, images: false, thinking: true },
  ],
  [
    'Together',
    [
      { id: 'm', type: 'chat', context_length: 9 },
      { id: 'e', type: 'embedding' },
    ],
    { contextWindow: 9 },
  ],
  [
    'Fireworks',
    { data: [{ id: 'm', supports_chat: true, supports_tools: false, supports_image_input: true, context_length: 9 }] },
    { contextWindow: 9, nativeTools: false, images: true },
  ],
  [
    'Anthropic',
    {
      data: [
        {
          id: 'm',
          max_input_tokens: 9,
          capabilities: { image_input: { supported: true }, thinking: { supported: false, types: {} } },
        },
      ],
    },
    { contextWindow: 9, images: true, thinking: false },
  ],
  ['a list with other work in it', { data: [{ id: 'm' }, { id: 'text-embedding-3' }, { id: 'whisper-1' }] }, {}],
  ['a list with nonsense in it', { data: [7, null, { id: 'm', context_length: 'long', type: 4 }] }, {}],
])('what %s says of a model is understood', async (_name, answer, facts) => {
  await using server = await jsonServer({ '/models': answer })
  expect((await modelsOf('mine', at(server)))?.models).toEqual([{ name: 'mine/m', ...facts }])
})

test('the newest come first, and what is published fills the gaps', async () => {
  await using server = await jsonServer({
    '/models': {
      data: [
        { id: 'old', created: 1_600_000_000 },
        { id: 'new', created: 1_700_000_000, context_length: 9 },
      ],
    },
  })
  const listed = await modelsOf('mine', { ...at(server), published: async () => ({ contextWindow: 7 }) })
  expect(listed?.models).toMatchObject([
    { name: 'mine/new', contextWindow: 9 },
    { name: 'mine/old', contextWindow: 7 },
  ])
})

test('one that is silent, one that answers with a page and one that is not there do not hold up the others', async () => {
  await using silent = await loopback(() => {})
  await using page = await loopback((_asked, response) => void response.end('<html>'))
  await using good = await jsonServer({ '/models': { data: [{ id: 'm' }] } })
  const provider = ({ url }: Loopback) => ({ api: 'openai-compatible', baseUrl: url }) as const
  const providers = {
    silent: provider(silent),
    page: provider(page),
    good: provider(good),
    gone: { api: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1' } as const,
  }
  const listed = await listModels({ variables: {}, providers, only: Object.keys(providers), timeoutMs: 300 })
  expect(listed.map(({ name, state, problem }) => [name, state, problem?.kind])).toEqual([
    ['silent', 'failed', 'connection'],
    ['page', 'failed', 'other'],
    ['good', 'listed', undefined],
    ['gone', 'failed', 'connection'],
  ])
})

const states = async (name: string, options: AskOptions) => (await checkKey(name, { variables: {}, ...options })).state

test('a key is good, refused, missing, or could not be checked', async () => {
  await using server = await wireServer({ lines: [], key })
  const there = { baseUrl: server.url }
  expect(await states('anthropic', { ...there, apiKey: key })).toBe('good')
  expect(await states('anthropic', { ...there, apiKey: 'sk-wrong-0123456789' })).toBe('refused')
  expect(await states('anthropic', there)).toBe('missing')
  expect(await states('anthropic', { baseUrl: 'http://127.0.0.1:9', apiKey: key })).toBe('unknown')
  expect(await states('vertex', { apiKey: key })).toBe('unknown')
})

test('a key is checked where only its owner can read, with every provider that has a key', async () => {
  // Everybody can read the list of OpenRouter.
  const paths: Record<string, string> = { openrouter: '/api/v1/key' }
  const checked = knownProviders.filter(({ key: needed }) => needed === 'required')
  for (const { name } of checked) {
    const asked: { readonly url: string; readonly headers: string }[] = []
    await checkKey(name, {
      variables: { AZURE_RESOURCE_NAME: 'mine' },
      apiKey: key,
      fetch: async (target, init) => {
        const headers = JSON.stringify([...new Headers(init?.headers)])
        asked.push({ url: typeof target === 'string' ? target : '', headers })
        return Response.json({})
      },
    })
    expect(asked).toHaveLength(1)
    expect(asked[0]?.headers).toContain(key)
    expect(asked[0]?.url).not.toContain(key)
    expect(new URL(asked[0]?.url ?? '').pathname).toMatch(paths[name] ?? /\/models$/)
  }
})

test('a model that its provider does not know is answered with the names that are like it', async () => {
  const models = ['claude-sonnet-4-5', 'claude-opus-5', 'claude-haiku-4-5'].map((id) => ({ id }))
  await using server = await wireServer({ lines: [], key, models })
  const backend = backendFor('anthropic/claude-sonet-45', { variables: {}, apiKey: key, baseUrl: server.url })
  const error = await rejection(hear(backend.stream(request())))
  expect(error).toMatchObject({ failure: { kind: 'unknown_model', status: 404 } })
  expect(String(error)).toContain('Similar names: anthropic/claude-sonnet-4-5')
  expect(server.requests.map(({ path }) => path)).toEqual(['/v1/messages'])
})

test('a provider whose list does not answer has its own words alone', async () => {
  await using server = await loopback(({ method }, response) => {
    response.writeHead(method === 'POST' ? 404 : 500, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ type: 'error', error: { type: 'not_found_error', message: 'model: m' } }))
  })
  const backend = backendFor('anthropic/m', { variables: {}, apiKey: key, baseUrl: server.url })
  expect(await rejection(hear(backend.stream(request())))).toMatchObject({
    failure: { kind: 'unknown_model', message: expect.stringContaining('See which models anthropic has.') },
  })
})

test('names are near if they share parts', () => {
  const names = ['gpt-5.2', 'gpt-5.2-codex', 'gpt-4o-mini', 'o3', 'claude-opus-5']
  expect(nearest('gpt-52', names)[0]).toBe('gpt-5.2')
  expect(nearest('codex-gpt-5.2', names)[0]).toBe('gpt-5.2-codex')
  expect(nearest('sonnet', names)).toEqual([])
})
