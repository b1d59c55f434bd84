import type { Backend, Message, Part, ToolCall } from '@loader/session-core'
import { call } from '@loader/test-harness'
import { type WireLine, type WireServer, wireServer } from '@loader/test-harness/wire'
import { describe, expect, test } from 'vitest'
import { anthropic, google, ollama, openai, openaiCompatible } from '../src/index.ts'
import { assistant, hear, request, result, user } from './requests.ts'

const apiKey = 'sk-test-0123456789abcdef'
const variables = {}

const providers: readonly { readonly name: string; readonly at: (url: string) => Backend }[] = [
  { name: 'openaiCompatible', at: (url) => openaiCompatible({ baseUrl: `${url}/v1`, model: 'm', variables }) },
  { name: 'openai, chat', at: (url) => openai({ baseUrl: `${url}/v1`, model: 'm', api: 'chat', apiKey, variables }) },
  { name: 'openai, responses', at: (url) => openai({ baseUrl: `${url}/v1`, model: 'gpt-5', apiKey, variables }) },
  { name: 'google', at: (url) => google({ baseUrl: url, model: 'gemini-3-pro', apiKey, variables }) },
  { name: 'anthropic', at: (url) => anthropic({ baseUrl: `${url}/v1`, model: 'm', apiKey, variables }) },
  { name: 'ollama', at: (url) => ollama({ baseUrl: url, model: 'm', variables }) },
]

/** An answer as the session keeps it: its calls have ids of the session, next to those of the provider. */
function kept(id: string, content: readonly Part[]): Message {
  const parts = content.map((part, at): Part =>
    part.type === 'call' ? { ...part, call: { ...part.call, id: `${id}_call_${at}`, providerId: part.call.id } } : part,
  )
  return assistant(id, ...parts)
}

function callIds({ content }: Message): string[] {
  return content.flatMap((part) => (part.type === 'call' ? [part.call.id] : []))
}

function lastRequest(server: WireServer) {
  const asked = server.requests.findLast((exchange) => exchange.request !== undefined)?.request
  if (asked === undefined) throw new Error('No request reached the server.')
  return asked
}

describe.each(providers)('$name', ({ name, at }) => {
  const accepted = async (messages: readonly Message[], ...lines: WireLine[]) => {
    await using server = await wireServer({ lines: [...lines, { text: 'Good.' }] })
    await hear(at(server.url).stream(request({ messages })))
    server.assertDone()
    return lastRequest(server)
  }

  test('an answer goes back as it came: thoughts with their signatures, calls with their ids', async () => {
    const first: WireLine = {
      reasoning: 'Two files.',
      text: 'On it.',
      calls: [call('write', { path: 'a.txt' }, { id: 'call_a' }), call('write', { path: 'b.txt' }, { id: 'call_b' })],
    }
    await using server = await wireServer({ lines: [first, { text: 'Done.' }] })
    const backend = at(server.url)
    const { done } = await hear(backend.stream(request()))
    const answer = kept('req_1', done.content)
    const [one = '', other = ''] = callIds(answer)
    const messages = [user('Create them.'), answer, result(other, 'No.', 'failed'), result(one, 'Wrote a.txt.')]
    await hear(backend.stream(request({ requestId: 'req_2', messages })))
    server.assertDone()

    const { messages: sent } = lastRequest(server)
    const calls = sent.flatMap((message) => message.calls)
    const inputs = calls.map(({ input }): unknown => (typeof input === 'string' ? JSON.parse(input) : input))
    expect(inputs).toEqual([{ path: 'a.txt' }, { path: 'b.txt' }])
    expect(calls.map(({ id }) => id)).toEqual(['call_a', 'call_b'])
    // Some say in JSON that it is an error.
    expect(sent.flatMap(({ results }) => results).map(({ text }) => text)).toEqual([
      'Wrote a.txt.',
      expect.stringContaining('No.'),
    ])
  })

  test('ids that the provider used twice become those of the session', async () => {
    const answered = (id: string, callId: string, path: string): Message[] => {
      const written: ToolCall = { id: callId, name: 'write', input: { path }, providerId: 'call_1' }
      return [assistant(id, { type: 'call', call: written }), result(callId, `Wrote ${path}.`)]
    }
    const messages = [user('Go.'), ...answered('r1', 'own_1', 'a'), ...answered('r2', 'own_2', 'b'), user('And?')]
    const sent = await accepted(messages)
    expect(sent.messages.flatMap((message) => message.calls).map(({ id }) => id)).toEqual(['call_1', 'own_2'])
  })

  test('ids that the provider would refuse are replaced, with their results', async () => {
    const long = `call:${'x'.repeat(90)}`
    const written = { type: 'call', call: { id: long, name: 'write', input: {}, providerId: 'a b' } } as const
    const sent = await accepted([user('Go.'), assistant('r1', written), result(long, 'Done.'), user('And?')])
    expect(sent.messages.flatMap((message) => message.calls)).toHaveLength(1)
  })

  test.each(['multi_tool_use.parallel', 'read file="a.txt"', 'psql -c "select 1" && '.repeat(20), '…'])(
    'a call of a tool that nobody has is accepted: %s',
    async (name) => {
      const written = { type: 'call', call: { id: 'own_1', name, input: {} } } as const
      const refused: Part = { type: 'result', callId: 'own_1', name, outcome: 'failed', text: 'There is no such tool.' }
      const told = { ...result('own_1', ''), content: [refused] }
      const sent = await accepted([user('Go.'), assistant('r1', written), told, user('And?')])
      expect(sent.messages.flatMap((message) => message.calls)).toHaveLength(1)
    },
  )

  test('an answer that was cut off while thinking is left out', async () => {
    const cut = { ...assistant('r1', { type: 'reasoning', text: 'Let me' }), interrupted: true } as const
    const sent = await accepted([user('Go.'), cut, user('Go on.')])
    expect(JSON.stringify(sent.messages)).not.toContain('Let me')
  })

  test.each<[string, readonly Part[]]>([
    ['blank text before a call', [{ type: 'text', text: '\n\n' }, written({ input: { path: 'a' } })]],
    ['arguments that are no JSON', [written({ input: {}, malformed: '{"path": ' })]],
    ['arguments that are no object', [written({ input: ['a'] })]],
    ['thoughts without a signature', [{ type: 'reasoning', text: 'Hm.' }, written({ input: {} })]],
    ['text that ends in blanks', [{ type: 'text', text: 'Here it comes:  \n' }, written({ input: {} })]],
  ])('the server accepts a history with %s', async (_what, content) => {
    const sent = await accepted([user('Go.'), assistant('r1', ...content), result('own_1', 'Done.'), user('And?')])
    expect(sent.messages.flatMap((message) => message.calls)).toHaveLength(1)
  })

  test('a request without tools tells of calls, so that talk can follow on work', async () => {
    await using server = await wireServer({ lines: [{ text: 'You are welcome.' }] })
    const made: Part = { type: 'call', call: { id: 'own_1', name: 'write', input: { path: 'a.txt' } } }
    const messages = [user('Go.'), assistant('r1', made), result('own_1', 'Wrote it.'), user('Thanks!')]
    await hear(at(server.url).stream(request({ messages, tools: [] })))
    server.assertDone()
    const body = JSON.stringify(server.requests[0]?.body)
    expect(body).toContain('a.txt')
    expect(body).toContain('Wrote it.')
  })

  test('instructions in the middle of the conversation arrive', async () => {
    const instructions: Message = { ...user('Answer in one line.'), role: 'system', origin: 'import' }
    const sent = await accepted([
      user('Go.'),
      assistant('r1', { type: 'text', text: 'I go.' }),
      instructions,
      user('And?'),
    ])
    const told = [sent.system, ...sent.messages.map(({ text }) => text)].join('\n')
    expect(told).toContain('Answer in one line.')
  })

  test('images of the user arrive', async () => {
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const image: Part = { type: 'file', mediaType: 'image/png', source: { kind: 'base64', data: pixel } }
    const shown: Message = { ...user('What is this?'), content: [{ type: 'text', text: 'What is this?' }, image] }
    await using server = await wireServer({ lines: [{ text: 'A pixel.' }] })
    await hear(at(server.url).stream(request({ messages: [shown] })))
    server.assertDone()
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain(pixel)
  })

  test('instructions, tools, temperature and the limit of the answer arrive', async () => {
    await using server = await wireServer({ lines: [{ text: 'Good.' }] })
    await hear(at(server.url).stream(request({ temperature: 0.25, maxOutputTokens: 321 })))
    server.assertDone()
    expect(lastRequest(server)).toMatchObject({ system: 'Be brief.', maxOutputTokens: 321, tools: [{ name: 'write' }] })
    const body = JSON.stringify(server.requests.at(-1)?.body)
    // Models that reason have none there.
    if (name !== 'openai, responses') expect(body).toContain('"temperature":0.25')
  })
})

function written(call: Pick<ToolCall, 'input' | 'malformed'>): Part {
  return { type: 'call', call: { id: 'own_1', name: 'write', ...call } }
}
