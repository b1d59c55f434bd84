import { wireServer, type WireServer } from '@loader/test-harness/wire'
import { expect, test } from 'vitest'
import { openai, openaiCompatible } from '../src/index.ts'
import { hear, request } from './requests.ts'

const options = { apiKey: 'sk-test-0123456789abcdef', variables: {}, model: 'gpt-5' }

/** Requests to the address of OpenAI that arrive at the strict server. */
function insteadOfOpenAI(server: WireServer): typeof fetch {
  return (input, init) => fetch(new Request(input, init).url.replace('https://api.openai.com', server.url), init)
}

function bodies(server: WireServer): Record<string, unknown>[] {
  return server.requests.map(({ body }) => body as Record<string, unknown>)
}

test.each(['responses', 'chat'] as const)(
  '%s of OpenAI: requests of a session share a key, which is not its id',
  async (api) => {
    await using server = await wireServer({ lines: [{ text: 'One.', repeat: 4 }] })
    const backend = openai({ ...options, api, fetch: insteadOfOpenAI(server) })
    const sessionId = 'ses_20260101_the-name-of-a-project'
    await hear(backend.stream(request({ requestId: 'r1', sessionId })))
    await hear(backend.stream(request({ requestId: 'r2', sessionId })))
    await hear(backend.stream(request({ requestId: 'r3', sessionId: 'ses_another' })))
    await hear(backend.stream(request({ requestId: 'r4' })))
    server.assertDone()
    const [first, second, other, without] = bodies(server)
    expect(first?.['prompt_cache_key']).toMatch(/^[0-9a-f]{32}$/)
    expect(second?.['prompt_cache_key']).toBe(first?.['prompt_cache_key'])
    expect(other?.['prompt_cache_key']).not.toBe(first?.['prompt_cache_key'])
    expect(JSON.stringify(first)).not.toContain('the-name-of-a-project')
    // Nothing else changes.
    const { prompt_cache_key: _key, ...rest } = first ?? {}
    expect(without).toEqual(rest)
  },
)

test('a key of the caller goes before it', async () => {
  await using server = await wireServer({ lines: [{ text: 'One.' }] })
  const providerOptions = { openai: { promptCacheKey: 'mine' } }
  const backend = openai({ ...options, fetch: insteadOfOpenAI(server), providerOptions })
  await hear(backend.stream(request({ sessionId: 's' })))
  expect(bodies(server)[0]?.['prompt_cache_key']).toBe('mine')
})

test('servers with the same interface are not sent it', async () => {
  await using server = await wireServer({ lines: [{ text: 'One.', repeat: 3 }] })
  const baseUrl = `${server.url}/v1`
  for (const backend of [
    openai({ ...options, baseUrl }),
    openai({ ...options, baseUrl, api: 'chat' }),
    openaiCompatible({ ...options, baseUrl }),
  ])
    await hear(backend.stream(request({ sessionId: 's' })))
  server.assertDone()
  for (const body of bodies(server)) expect(body).not.toHaveProperty('prompt_cache_key')
})
