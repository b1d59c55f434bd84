import { LoaderError } from '@loader/session-core'
import { expect, test } from 'vitest'
import { backendFor, parseModelName } from '../src/index.ts'
import { loopback } from './loopback.ts'
import { rejection } from './requests.ts'

test('a name is split at the first slash', () => {
  expect(parseModelName('ollama/qwen3:8b')).toEqual({ provider: 'ollama', model: 'qwen3:8b' })
  expect(parseModelName('openrouter/qwen/qwen3')).toEqual({ provider: 'openrouter', model: 'qwen/qwen3' })
})

test.each(['', 'qwen3', '/qwen3', 'ollama/'])('%j is no name', (name) => {
  expect(() => parseModelName(name)).toThrow(/provider\/id/)
})

test.each(['ollama/a', 'openai/a', 'anthropic/a', 'google/a', 'llamacpp/a', 'lmstudio/a', 'vllm/a/b'])(
  '%s is known',
  (name) => {
    expect(backendFor(name, { variables: {} }).id).toBe(name)
  },
)

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
      return backendFor('toString/a', { providers: { groq: { api: 'openai-compatible' } } })
    } catch (thrown) {
      return thrown
    }
  })()
  expect(LoaderError.is(error, 'invalid_config')).toBe(true)
  expect(String(error)).toContain(
    'ollama, llamacpp, lmstudio, vllm, openai, anthropic, google, openai-compatible, groq',
  )
  expect(String(error)).toContain('{ "toString": { api: \'openai-compatible\', baseUrl:')
})

test('an OpenAI-compatible server needs an address', () => {
  expect(() => backendFor('openai-compatible/a')).toThrow(/Pass its baseUrl/)
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
