import { BackendError } from '@loader/session-core'
import { call } from '@loader/test-harness'
import { type WireServer, wireServer } from '@loader/test-harness/wire'
import { describe, expect, test } from 'vitest'
import { google } from '../src/index.ts'
import { deserted, jsonServer } from './loopback.ts'
import { assistant, hear, rejection, request, result, user } from './requests.ts'

const options = { apiKey: 'AIza-test-0123456789abcdef', variables: {}, model: 'gemini-3-pro' }

const called = (id: string) => ({ type: 'call', call: { id, name: 'write', input: {} } }) as const

const contentsOf = (server: WireServer, at: number): any => (server.requests[at]?.body as any)?.contents

test('calls go back with the signatures that they had', async () => {
  const calls = [call('write', { path: 'a.txt' }, { id: 'a' }), call('write', { path: 'b.txt' }, { id: 'b' })]
  await using server = await wireServer({ lines: [{ reasoning: 'Two.', text: 'On it.', calls }, { text: 'Done.' }] })
  const backend = google({ ...options, baseUrl: server.url })
  const { done } = await hear(backend.stream(request()))
  const messages = [user('Go.'), assistant('r1', ...done.content), result('a', 'Wrote it.'), result('b', 'Wrote it.')]
  await hear(backend.stream(request({ messages })))
  server.assertDone()
  const contents = contentsOf(server, 1)
  const [thought, text, first, second] = contents[1].parts
  expect([thought, text]).toEqual([{ text: 'Two.', thought: true }, { text: 'On it.' }])
  expect(first).toMatchObject({ functionCall: { id: 'a' }, thoughtSignature: expect.stringMatching(/^[\w+/]{40,}=*$/) })
  expect(second).toEqual({ functionCall: { id: 'b', name: 'write', args: { path: 'b.txt' } } })
})

test.each([
  ['gemini-3-pro', 'skip_thought_signature_validator'],
  ['gemini-9-flash', 'skip_thought_signature_validator'],
  ['gemini-2.5-flash', undefined],
])('what another model called goes to %s with %s for a signature', async (model, signature) => {
  await using server = await wireServer({ lines: [{ text: 'Good.' }], rules: { signaturesPresent: 'off' } })
  const messages = [user('Go.'), assistant('r1', called('a'), called('b')), result('a', '1'), result('b', '2')]
  await hear(google({ ...options, model, baseUrl: server.url }).stream(request({ messages })))
  server.assertDone()
  const contents = contentsOf(server, 0)
  expect(contents[1].parts.map((part: any) => part.thoughtSignature)).toEqual([signature, undefined])
})

test('it asks to wait in the body of its refusal, whatever that says of quotas', async () => {
  const message = 'You exceeded your current quota, please check your plan and billing details.'
  await using server = await wireServer({
    lines: [{ fault: { type: 'throw', kind: 'rate_limited', message, retryAfterMs: 7250 } }],
  })
  const error = await rejection(hear(google({ ...options, baseUrl: server.url }).stream(request())))
  expect(error).toBeInstanceOf(BackendError)
  expect((error as BackendError).failure).toMatchObject({ kind: 'rate_limited', status: 429, retryAfterMs: 7250 })
})

test('a call that nobody can read is a failure', async () => {
  await using server = await wireServer({
    lines: [{ calls: [call('write', { path: 'a' })], fault: { type: 'malformed_call' } }],
  })
  const error = await rejection(hear(google({ ...options, baseUrl: server.url }).stream(request())))
  expect((error as BackendError).failure).toMatchObject({ kind: 'other' })
  expect(String(error)).toContain('its answer ended with MALFORMED_FUNCTION_CALL')
})

describe('its window', () => {
  const described = async (baseUrl: string) => google({ ...options, baseUrl }).describe?.()

  test('is told by Google', async () => {
    await using server = await jsonServer({ '/v1beta/models/gemini-3-pro': { inputTokenLimit: 1_048_576 } })
    expect(await described(server.url)).toMatchObject({ contextWindow: 1_048_576, notes: [], nativeTools: true })
    expect(server.asked[0]?.headers['x-goog-api-key']).toBe(options.apiKey)
  })

  test('is assumed where Google says nothing, or is not there', async () => {
    await using server = await jsonServer({})
    const assumed = { contextWindow: 128_000, notes: ['a window of 128000 tokens is assumed'] }
    expect(await described(server.url)).toMatchObject(assumed)
    expect(await described(await deserted())).toMatchObject(assumed)
  })
})

test.each(['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'])(
  'its key may be in %s',
  async (name) => {
    await using server = await wireServer({ scripts: { ann: { key: 'AIza-of-ann', lines: [{ text: 'Hi, Ann.' }] } } })
    const variables = { [name]: 'AIza-of-ann', GOOGLE_GEMINI_BASE_URL: server.url }
    const { text } = await hear(google({ model: 'gemini-3-pro', variables }).stream(request()))
    expect(text).toBe('Hi, Ann.')
  },
)
