import { LoaderError } from '@loader/session-core'
import { expect, test } from 'vitest'
import { backendFor, discover, type Fetch, knownProviders, parseModelName, providerNames } from '../src/index.ts'
import { loopback } from './loopback.ts'
import { rejection } from './requests.ts'

test('a name is split at the first slash', () => {
  expect(parseModelName('ollama/qwen3:8b')).toEqual({ provider: 'ollama', model: 'qwen3:8b' })
  expect(parseModelName('openrouter/qwen/qwen3')).toEqual({ provider: 'openrouter', model: 'qwen/qwen3' })
})

test.each(['', 'qwen3', '/qwen3', 'ollama/'])('%j is no name', (name) => {
  expect(() => parseModelName(name)).toThrow(/provider\/id/)
})

test.each(knownProviders.map(({ name }) => name))('%s is known', (name) => {
  const variables = name === 'azure' ? { AZURE_RESOURCE_NAME: 'mine' } : {}
  expect(backendFor(`${name}/a/b`, { variables }).id).toBe(`${name}/a/b`)
})

test.each(['ollama', 'llamacpp', 'lmstudio', 'vllm'])('%s is where discovery looks for it', async (name) => {
  const asked: string[] = []
  const fetch: Fetch = async (target) => {
    asked.push(typeof target === 'string' ? target : '')
    return new Response('{}', { status: 404 })
  }
  await discover({ fetch, variables: {} })
  const { origin } = new URL(knownProviders.find((one) => one.name === name)?.baseUrl ?? '')
  expect(asked.map((url) => new URL(url).origin)).toContain(origin)
})

test('the row of a provider names its variables, and its address is one', () => {
  expect(knownProviders.map(({ name }) => name)).toEqual(providerNames)
  for (const { keyVariables, baseUrl = 'none:', key, keyPage } of knownProviders) {
    expect(keyVariables.length).toBeGreaterThan(0)
    expect(URL.canParse(baseUrl)).toBe(true)
    expect(key === 'optional' || URL.canParse(keyPage ?? '')).toBe(true)
  }
})

test('a provider of the caller is known, and may stand for one that is built in', () => {
  const providers = {
    groq: { api: 'openai-compatible', baseUrl: 'https://api.groq.test/v1' },
    ollama: { api: 'openai-compatible', baseUrl: 'http://127.0.0.1:11434/v1' },
  } as const
  expect(backendFor('groq/llama', { providers, variables: {} }).id).toBe('groq/llama')
  expect(backendFor('ollama/qwen3', { providers, variables: {} }).id).toBe('ollama/qwen3')
})

test.each(['ollama', 'openai', 'anthropic', 'google', 'openai-compatible'] as const)(
  'a model of the provider mine, which speaks as %s does, is called what it was asked for by',
  (api) => {
    const providers = { mine: { api, baseUrl: 'http://127.0.0.1:9/v1' } }
    expect(backendFor('mine/a', { providers, variables: {} }).id).toBe('mine/a')
  },
)

test('another provider is refused, with those that are known and how to make it known', () => {
  const error = (() => {
    try {
      return backendFor('toString/a', {
        providers: { acme: { api: 'openai-compatible' } },
        settingsFile: '/home/settings.json',
      })
    } catch (thrown) {
      return thrown
    }
  })()
  expect(LoaderError.is(error, 'invalid_config')).toBe(true)
  expect(String(error)).toContain(
    `Known are ${[...knownProviders.map(({ name }) => name), 'openai-compatible', 'acme'].join(', ')}.`,
  )
  expect(String(error)).toContain('write into /home/settings.json:')
  expect(String(error)).toContain('{"providers":{"toString":{"api":"openai-compatible","baseUrl":"https://host/v1"}}}')
})

test('an OpenAI-compatible server needs an address', () => {
  expect(() => backendFor('openai-compatible/a')).toThrow(/Pass its baseUrl/)
  expect(() => backendFor('azure/a', { variables: {} })).toThrow(/Set AZURE_OPENAI_ENDPOINT or AZURE_RESOURCE_NAME/)
})

test.each([
  ['127.0.0.1:PORT', undefined],
  ['http://127.0.0.1:PORT/', undefined],
  ['0.0.0.0:PORT', undefined],
  [':PORT', undefined],
  ['', 'http://127.0.0.1:PORT'],
])('Ollama is found where OLLAMA_HOST (%s) or the address (%s) says', async (host, baseUrl) => {
  await using server = await loopback((_asked, response) => void response.writeHead(500).end('{}'))
  const { port } = new URL(server.url)
  const options = baseUrl === undefined ? {} : { baseUrl: baseUrl.replace('PORT', port) }
  const backend = backendFor('ollama/a', { variables: { OLLAMA_HOST: host.replace('PORT', port) }, ...options })
  await rejection(Promise.resolve(backend.describe?.()))
  expect(server.asked.map(({ path }) => path)).toContain('/api/show')
})

test('an OLLAMA_HOST that is no address is refused', () => {
  expect(() => backendFor('ollama/a', { variables: { OLLAMA_HOST: 'http://:::' } })).toThrow(/OLLAMA_HOST/)
})
