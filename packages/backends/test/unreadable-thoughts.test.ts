import type { Backend, Part } from '@loader/session-core'
import { call } from '@loader/test-harness'
import { type WireLine, wireServer } from '@loader/test-harness/wire'
import { expect, test } from 'vitest'
import { anthropic, google, openai } from '../src/index.ts'
import { unreadableNote } from '../src/ai-sdk/unreadable-thoughts.ts'
import { assistant, hear, rejection, request, result, user } from './requests.ts'

const options = { apiKey: 'sk-test-0123456789abcdef', variables: {} }
const thinking = { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } }

/** What another account has sealed: it has the form, and the server has not made it. */
const foreign = {
  openai: { itemId: 'rs_9_0', reasoningEncryptedContent: 'gAAAAABhbm90aGVyIGFjY291bnQ=' },
  anthropic: { signature: 'YW5vdGhlciBhY2NvdW50' },
  google: { thoughtSignature: 'YW5vdGhlciBhY2NvdW50' },
}

const providers: readonly { readonly name: keyof typeof foreign; readonly at: (url: string) => Backend }[] = [
  { name: 'openai', at: (url) => openai({ ...options, baseUrl: `${url}/v1`, model: 'gpt-5' }) },
  { name: 'anthropic', at: (url) => anthropic({ ...options, baseUrl: url, model: 'm', providerOptions: thinking }) },
  { name: 'google', at: (url) => google({ ...options, baseUrl: url, model: 'gemini-3-pro' }) },
]

const history = (name: keyof typeof foreign) => {
  const providerMetadata = { [name]: foreign[name] }
  const thought: Part = { type: 'reasoning', text: 'Elsewhere.', providerMetadata }
  const called: Part = { type: 'call', call: { id: 'a', name: 'write', input: {} }, providerMetadata }
  return [user('Go.'), assistant('r1', thought, called), result('a', 'Wrote it.')]
}

test.each(providers)('$name is asked again without thoughts that it cannot read, once', async ({ name, at }) => {
  const lines: WireLine[] = [{ text: 'Good.' }, { calls: [call('write', { path: 'b' })] }]
  await using server = await wireServer({ lines })
  const backend = at(server.url)
  const messages = history(name)
  const asked = request({ messages, maxOutputTokens: 4096 })
  const { text, status } = await hear(backend.stream(asked))
  expect(text).toBe('Good.')
  expect(status).toContain(unreadableNote)
  expect(server.requests.map((one) => one.status)).toEqual([400, 200])
  expect(JSON.stringify(server.requests[1]?.body)).not.toContain('Elsewhere.')
  expect(server.requests[1]?.request?.messages.flatMap(({ results }) => results)).toHaveLength(1)
})

test.each(providers)(
  '$name is not sent again what it could not read, but what was thought after it',
  async ({ name, at }) => {
    const lines: WireLine[] = [
      { reasoning: 'Anew.', text: 'On it.', calls: [call('write', { path: 'b' })] },
      { text: 'Done.' },
    ]
    await using server = await wireServer({ lines })
    const backend = at(server.url)
    const messages = history(name)
    const { done } = await hear(backend.stream(request({ messages, maxOutputTokens: 4096 })))
    const ids = done.content.flatMap((part) => (part.type === 'call' ? [part.call.id] : []))
    const more = [...messages, assistant('r2', ...done.content), ...ids.map((id) => result(id, 'Wrote it.'))]
    const { text, status } = await hear(backend.stream(request({ messages: more, maxOutputTokens: 4096 })))
    expect(text).toBe('Done.')
    expect(status).not.toContain(unreadableNote)
    expect(server.requests.map((one) => one.status)).toEqual([400, 200, 200])
    const last = JSON.stringify(server.requests[2]?.body)
    expect(last).not.toContain('Elsewhere.')
    if (name === 'openai') expect(last).toContain('"encrypted_content":"')
  },
)

test('any other refusal is a failure at once', async () => {
  await using server = await wireServer({ lines: [{ fault: { type: 'throw', kind: 'bad_request' } }] })
  const backend = openai({ ...options, baseUrl: `${server.url}/v1`, model: 'gpt-5' })
  await rejection(hear(backend.stream(request({ messages: history('google') }))))
  expect(server.requests).toHaveLength(1)
})
