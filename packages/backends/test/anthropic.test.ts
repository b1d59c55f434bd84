import { wireServer } from '@loader/test-harness/wire'
import { expect, test } from 'vitest'
import { anthropic } from '../src/index.ts'
import { hear, request } from './requests.ts'

test.each([
  ['automatic', { type: 'ephemeral' }],
  ['off', undefined],
] as const)('what was read before is used again, unless that is turned off: %s', async (promptCache, expected) => {
  await using server = await wireServer({ lines: [{ text: 'Hi.' }] })
  const connection = { baseUrl: `${server.url}/v1`, apiKey: 'sk-test-0123456789', variables: {} }
  await hear(anthropic({ ...connection, model: 'm', promptCache }).stream(request()))
  server.assertDone()
  const body = server.requests[0]?.body
  expect(body).toBeTypeOf('object')
  expect((body as { cache_control?: unknown }).cache_control).toEqual(expected)
})

test('an address in the environment is used', async () => {
  await using server = await wireServer({ lines: [{ text: 'Hi.' }] })
  const variables = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'sk-test-0123456789' }
  expect((await hear(anthropic({ model: 'm', variables }).stream(request()))).text).toBe('Hi.')
})
