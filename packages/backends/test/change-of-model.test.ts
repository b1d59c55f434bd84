import type { Backend, Message, Part } from '@loader/session-core'
import { call } from '@loader/test-harness'
import { type WireLine, type WireServer, wireServer } from '@loader/test-harness/wire'
import { sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { anthropic, google, ollama, openai, openaiCompatible } from '../src/index.ts'
import { assistant, hear, request, result, user } from './requests.ts'

const options = { apiKey: 'sk-test-0123456789abcdef', variables: {} }
const thinking = { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } }

interface Speaker {
  readonly name: string
  readonly at: (url: string) => Backend
  /** What goes back of a thought: sealed or signed by whoever had it, as plain words that anybody takes, or nothing. */
  readonly thoughts: 'own' | 'words' | 'none'
}

const speakers: readonly Speaker[] = [
  {
    name: 'openai-compatible',
    at: (url) => openaiCompatible({ ...options, baseUrl: `${url}/v1`, model: 'm' }),
    thoughts: 'words',
  },
  {
    name: 'openai, chat',
    at: (url) => openai({ ...options, baseUrl: `${url}/v1`, model: 'm', api: 'chat' }),
    thoughts: 'none',
  },
  { name: 'openai', at: (url) => openai({ ...options, baseUrl: `${url}/v1`, model: 'gpt-5' }), thoughts: 'own' },
  {
    name: 'anthropic',
    at: (url) => anthropic({ ...options, baseUrl: url, model: 'm', providerOptions: thinking }),
    thoughts: 'own',
  },
  { name: 'google', at: (url) => google({ ...options, baseUrl: url, model: 'gemini-3-pro' }), thoughts: 'own' },
  { name: 'ollama', at: (url) => ollama({ ...options, baseUrl: url, model: 'm' }), thoughts: 'words' },
]

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const image: Part = { type: 'file', mediaType: 'image/png', source: { kind: 'base64', data: pixel } }

const thought = 'The picture shows two files.'
const calls = [call('write', { path: 'a.txt' }), call('write', { path: 'b.txt' })]
const works: WireLine = { reasoning: thought, text: 'On it.', calls }
const goesOn: WireLine = { reasoning: 'One more.', text: 'And another.', calls: [call('write', { path: 'c.txt' })] }

/** An answer as the session keeps it, with the results of its calls. */
async function answered(backend: Backend, messages: readonly Message[], id: string) {
  const { done, status } = await hear(backend.stream(request({ requestId: id, messages, maxOutputTokens: 4096 })))
  const content = done.content.map((part, at): Part =>
    part.type === 'call' ? { ...part, call: { ...part.call, id: `${id}_${at}`, providerId: part.call.id } } : part,
  )
  const results = content.flatMap((part) => (part.type === 'call' ? [result(part.call.id, `Wrote ${id}.`)] : []))
  return { messages: [...messages, assistant(id, ...content), ...results], status }
}

function lastBody(server: WireServer): string {
  return JSON.stringify(server.requests.at(-1)?.body)
}

const pairs = speakers.flatMap((first) => speakers.map((next) => ({ first, next })))
const note = 'What another model thought is left out: this one cannot read it.'

describe.each(pairs)('a conversation that $first.name began', ({ first, next }) => {
  const isSame = first.name === next.name

  test(`goes on over ${next.name} behind the results of calls, with thoughts and an image`, async () => {
    await using server = await wireServer({ lines: [works, goesOn, { text: 'Done.' }] })
    const shown: Message = { ...user('Create these.'), content: [{ type: 'text', text: 'Create these.' }, image] }
    const begun = await answered(first.at(server.url), [shown], 'r1')
    const changed = await answered(next.at(server.url), begun.messages, 'r2')
    const asked = server.requests[1]?.request
    expect(asked?.messages.flatMap((message) => message.calls)).toHaveLength(2)
    expect(asked?.messages.flatMap(({ results }) => results).map(({ text }) => text)).toEqual([
      'Wrote r1.',
      'Wrote r1.',
    ])
    expect(lastBody(server)).toContain(pixel)

    const hadThoughts = JSON.stringify(begun.messages).includes(thought)
    const goesAlong = hadThoughts && (next.thoughts === 'words' || (next.thoughts === 'own' && isSame))
    expect(lastBody(server).includes(thought)).toBe(goesAlong)
    const isTold = hadThoughts && next.thoughts === 'own' && !isSame
    expect(changed.status.filter((message) => message === note)).toHaveLength(isTold ? 1 : 0)

    const end = await answered(next.at(server.url), changed.messages, 'r3')
    expect(end.status).not.toContain(note)
    server.assertDone()
  })

  test(`goes on over ${next.name} in a new turn, and back again`, async () => {
    await using server = await wireServer({ lines: [works, { reasoning: 'So.', text: 'Both.' }, goesOn, works] })
    let { messages } = await answered(first.at(server.url), [user('Go.')], 'r1')
    ;({ messages } = await answered(first.at(server.url), messages, 'r2'))
    ;({ messages } = await answered(next.at(server.url), [...messages, user('And now?')], 'r3'))
    await answered(first.at(server.url), [...messages, user('Once more.')], 'r4')
    const sent = server.requests.at(-1)?.request?.messages ?? []
    expect(sent.flatMap((message) => message.calls)).toHaveLength(3)
    server.assertDone()
  })
})

const apart = sample(pairs, { quick: 12 })

test.each(apart)('an image that a tool gave to $first.name goes on to $next.name', async ({ first, next }) => {
  await using server = await wireServer({ lines: [goesOn, { text: 'A pixel.' }, { text: 'Still one.' }] })
  const begun = await answered(first.at(server.url), [user('Look.')], 'r1')
  const messages = begun.messages.map((message): Message => {
    if (message.role !== 'tool') return message
    return {
      ...message,
      content: message.content.map((part) => (part.type === 'result' ? { ...part, files: [image] } : part)),
    }
  })
  const changed = await answered(next.at(server.url), messages, 'r2')
  await answered(first.at(server.url), [...changed.messages, user('And now?')], 'r3')
  server.assertDone()
  for (const { body } of server.requests.slice(1)) {
    const text = JSON.stringify(body)
    expect(text).toContain(pixel)
    // As an image, and not in a text.
    expect(text).not.toMatch(new RegExp(`\\\\"${pixel.slice(0, 8)}`))
  }
})
