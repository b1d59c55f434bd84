import { call } from '@loader/test-harness'
import { wireServer } from '@loader/test-harness/wire'
import { expect, test } from 'vitest'
import { openai } from '../src/index.ts'
import { assistant, hear, request, result, user } from './requests.ts'

const options = { apiKey: 'sk-test-0123456789abcdef', variables: {} }

test('the session is the history: nothing is kept by the server, and thoughts go back sealed', async () => {
  const lines = [{ reasoning: 'Hm.', text: 'Well.', calls: [call('write', { path: 'a.txt' })] }, { text: 'Done.' }]
  await using server = await wireServer({ lines })
  const backend = openai({ ...options, baseUrl: `${server.url}/v1`, model: 'gpt-5' })
  const { done } = await hear(backend.stream(request()))
  const sealed = expect.stringMatching(/^[A-Za-z0-9+/]{40,}=*$/)
  expect(done.content).toMatchObject([
    { type: 'reasoning', text: 'Hm.', providerMetadata: { openai: { reasoningEncryptedContent: sealed } } },
    { type: 'text', text: 'Well.' },
    { type: 'call' },
  ])

  const messages = [user('Go.'), assistant('r1', ...done.content), result('call_1', 'Wrote it.')]
  await hear(backend.stream(request({ messages })))
  server.assertDone()
  const [first, second]: any[] = server.requests.map(({ body }) => body)
  expect(first).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
  const summary = [{ type: 'summary_text', text: 'Hm.' }]
  expect(second.input).toContainEqual({ type: 'reasoning', id: 'rs_1_0', encrypted_content: sealed, summary })
})

test('whoever wants the server to keep the history says so', async () => {
  await using server = await wireServer({ lines: [{ text: 'Well.' }] })
  const providerOptions = { openai: { store: true, serviceTier: 'flex' } }
  const backend = openai({ ...options, baseUrl: `${server.url}/v1`, model: 'gpt-5', providerOptions })
  await hear(backend.stream(request()))
  expect(server.requests[0]?.body).toMatchObject({ store: true, service_tier: 'flex' })
})

test('a thought in several parts goes back whole: one seal stands for all of them', async () => {
  await using server = await wireServer({ lines: [{ text: 'Good.' }], rules: { thinkingSealed: 'off' } })
  const part = (text: string, more: object = {}) =>
    ({ type: 'reasoning', text, providerMetadata: { openai: { itemId: 'rs_1', ...more } } }) as const
  const thoughts = [part('First.'), part('Then.', { reasoningEncryptedContent: 'c2VhbGVk' })]
  const messages = [user('Go.'), assistant('r1', ...thoughts, { type: 'text', text: 'Well.' }), user('And?')]
  const { status } = await hear(
    openai({ ...options, baseUrl: `${server.url}/v1`, model: 'gpt-5' }).stream(request({ messages })),
  )
  expect(status).toEqual([])
  const body: any = server.requests[0]?.body
  const summary = ['First.', 'Then.'].map((text) => ({ type: 'summary_text', text }))
  expect(body.input).toContainEqual({ type: 'reasoning', id: 'rs_1', encrypted_content: 'c2VhbGVk', summary })
})

test('of a thought that was cut off there is nothing to note', async () => {
  await using server = await wireServer({ lines: [{ text: 'Good.' }] })
  const cut = { ...assistant('r1', { type: 'reasoning', text: 'Let me' }), interrupted: true } as const
  const messages = [user('Go.'), cut, user('Go on.')]
  const { status } = await hear(
    openai({ ...options, baseUrl: `${server.url}/v1`, model: 'gpt-5' }).stream(request({ messages })),
  )
  expect(status).toEqual([])
})
