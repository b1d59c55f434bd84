import { expect, test } from 'vitest'
import { openai } from '../src/index.ts'
import { assistant, hear, request, user } from './requests.ts'
import { responsesServer } from './responses-server.ts'

const options = { apiKey: 'sk-test-0123456789abcdef', variables: {} }

test('the session is the history: nothing is kept by the server, and thoughts go back sealed', async () => {
  await using server = await responsesServer({ reasoning: 'Hm.', text: 'Well.' })
  const backend = openai({ ...options, baseUrl: `${server.url}/v1`, model: 'gpt-5' })
  const { done } = await hear(backend.stream(request()))
  expect(done.content).toMatchObject([
    { type: 'reasoning', text: 'Hm.', providerMetadata: { openai: { reasoningEncryptedContent: 'sealed' } } },
    { type: 'text', text: 'Well.' },
  ])

  const messages = [user('Go.'), assistant('r1', ...done.content), user('And?')]
  await hear(backend.stream(request({ messages })))
  const [first, second] = server.asked.map(({ body }) => JSON.parse(body))
  expect(first).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
  expect(second.input).toContainEqual(
    expect.objectContaining({
      type: 'reasoning',
      encrypted_content: 'sealed',
      summary: [{ type: 'summary_text', text: 'Hm.' }],
    }),
  )
})

test('whoever wants the server to keep the history says so', async () => {
  await using server = await responsesServer({ text: 'Well.' })
  const providerOptions = { openai: { store: true, serviceTier: 'flex' } }
  const backend = openai({ ...options, baseUrl: `${server.url}/v1`, model: 'gpt-5', providerOptions })
  await hear(backend.stream(request()))
  expect(JSON.parse(server.asked[0]?.body ?? '')).toMatchObject({ store: true, service_tier: 'flex' })
})
