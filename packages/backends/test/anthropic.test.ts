import type { Message, Part } from '@loader/session-core'
import { wireServer } from '@loader/test-harness/wire'
import { describe, expect, test } from 'vitest'
import { anthropic, type AnthropicOptions } from '../src/index.ts'
import { assistant, hear, request, result, user } from './requests.ts'

/** Every mark of a body, by where it stands. */
function marksIn(value: unknown, place = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    name === 'cache_control' ? [`${place} ${JSON.stringify(inner)}`] : marksIn(inner, `${place}/${name}`),
  )
}

/** The marks of a first request, and of one behind an answer with two calls. */
async function marked(options: Partial<AnthropicOptions>) {
  await using server = await wireServer({ lines: [{ text: 'Hi.' }, { text: 'Done.' }] })
  const connection = { baseUrl: `${server.url}/v1`, apiKey: 'sk-test-0123456789', variables: {} }
  const backend = anthropic({ ...connection, model: 'm', ...options })
  const calls = ['a', 'b'].map((id): Part => ({ type: 'call', call: { id, name: 'write', input: {} } }))
  const first = user('Go.')
  const more = [assistant('r1', ...calls), result('a', 'Done'), result('b', 'Done')]
  await hear(backend.stream(request({ messages: [first] })))
  await hear(backend.stream(request({ messages: [first, ...more] })))
  server.assertDone()
  return server.requests.map(({ body }) => marksIn(body))
}

describe('what was sent before is read again', () => {
  const five = '{"type":"ephemeral"}'

  test('by marks on tools, instructions, the end, and the end of the request before', async () => {
    const [first, next] = await marked({})
    const front = [`/system/0 ${five}`]
    const tools = `/tools/0 ${five}`
    expect(first).toEqual([...front, `/messages/0/content/0 ${five}`, tools])
    expect(next).toEqual([...front, `/messages/0/content/0 ${five}`, `/messages/2/content/1 ${five}`, tools])
  })

  test('and the server says so: what one request has written, the next reads, however many results came between', async () => {
    await using server = await wireServer({ usage: 'counted', lines: [{ text: 'Hi.' }, { text: 'Done.' }] })
    const connection = { baseUrl: server.url, apiKey: 'sk-test-0123456789', variables: {} }
    const backend = anthropic({ ...connection, model: 'claude-opus-5' })
    const system = 'Be brief. '.repeat(500)
    const ids = Array.from({ length: 30 }, (_, at) => `call_${at}`)
    const calls = ids.map((id): Part => ({ type: 'call', call: { id, name: 'write', input: {} } }))
    const messages = [user('Go.')]
    const first = await hear(backend.stream(request({ system, messages })))
    const more = [...messages, assistant('r1', ...calls), ...ids.map((id) => result(id, 'Done'))]
    const next = await hear(backend.stream(request({ system, messages: more })))
    server.assertDone()
    const { cacheWriteTokens: written = 0 } = first.done.usage ?? {}
    expect(written).toBeGreaterThan(1000)
    expect(next.done.usage).toMatchObject({ cacheReadTokens: written, cacheWriteTokens: expect.any(Number) })
  })

  test('for an hour, if asked for', async () => {
    const [, next] = await marked({ promptCache: '1h' })
    expect(next).toHaveLength(4)
    expect(next?.every((mark) => mark.endsWith('{"type":"ephemeral","ttl":"1h"}'))).toBe(true)
  })

  test('never, if that is turned off', async () => {
    expect(await marked({ promptCache: 'off' })).toEqual([[], []])
  })

  test('as the caller says, who marks the whole request', async () => {
    const mark = { anthropic: { cacheControl: { type: 'ephemeral' } } }
    expect(await marked({ providerOptions: mark })).toEqual([[` ${five}`], [` ${five}`]])
  })
})

test('an address in the environment is used', async () => {
  await using server = await wireServer({ lines: [{ text: 'Hi.' }] })
  const variables = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'sk-test-0123456789' }
  expect((await hear(anthropic({ model: 'm', variables }).stream(request()))).text).toBe('Hi.')
})

describe('thinking with a budget', () => {
  const thinking = { type: 'enabled', budgetTokens: 1024 }

  /** The body of a request with these messages, which the server accepts. */
  const accepted = async (...messages: readonly Message[]): Promise<unknown> => {
    await using server = await wireServer({ lines: [{ text: 'Hi.' }] })
    const connection = { baseUrl: server.url, apiKey: 'sk-test-0123456789', variables: {} }
    const backend = anthropic({ ...connection, model: 'm', providerOptions: { anthropic: { thinking } } })
    await hear(backend.stream(request({ messages, maxOutputTokens: 4000 })))
    server.assertDone()
    return server.requests[0]?.body
  }

  const signature = 'bnLZXLS0/hZO5nf43c5L3i5a8E6eKCzNSioX+m7HHYE='
  const signed: Part = { type: 'reasoning', text: 'Hm.', providerMetadata: { anthropic: { signature } } }
  const calls = (id: string): Part => ({ type: 'call', call: { id, name: 'write', input: {} } })
  const on = { thinking: { type: 'enabled' } }
  const off = { thinking: { type: 'disabled' } }

  test.each<[string, object, readonly Message[]]>([
    ['goes with a new task', on, [user('Go.')]],
    [
      'goes on in a turn that began with it, however far back',
      on,
      [
        user('Go.'),
        assistant('r1', signed, calls('a')),
        result('a', 'Done'),
        assistant('r2', calls('b')),
        result('b', 'Done'),
      ],
    ],
    [
      'goes with the next task of a turn that never had any',
      on,
      [
        user('Go.'),
        assistant('r1', calls('a')),
        result('a', 'Done'),
        assistant('r2', { type: 'text', text: 'Done.' }),
        user('Go on.'),
      ],
    ],
    [
      'waits for the next task when its beginning is gone',
      off,
      [
        user('Summary.'),
        assistant('r2', calls('b')),
        result('b', 'Done'),
        assistant('r3', signed, calls('c')),
        result('c', 'Done'),
      ],
    ],
    [
      'waits for the next task when nothing but a thought ended the turn before',
      off,
      [
        user('Go.'),
        assistant('r1', calls('a')),
        result('a', 'Done'),
        assistant('r2', { type: 'reasoning', text: 'Well.' }),
        user('Go on.'),
      ],
    ],
    [
      'waits for the next task when another model began the turn',
      off,
      [
        user('Go.'),
        assistant('r1', { type: 'reasoning', text: 'Well.' }, calls('a')),
        result('a', 'Done'),
        user('Go on.'),
      ],
    ],
  ])('%s', async (_what, expected, messages) => {
    expect(await accepted(...messages)).toMatchObject(expected)
  })
})
