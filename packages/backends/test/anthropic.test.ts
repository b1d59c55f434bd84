import type { Message, Part } from '@loader/session-core'
import { wireServer } from '@loader/test-harness/wire'
import { describe, expect, test } from 'vitest'
import { anthropic } from '../src/index.ts'
import { assistant, hear, request, result, user } from './requests.ts'

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

describe('thinking with a budget', () => {
  const thinking = { type: 'enabled', budgetTokens: 1024 }

  /** The body of a request with these messages, which the server accepts. */
  const accepted = async (...messages: readonly Message[]): Promise<unknown> => {
    await using server = await wireServer({ lines: [{ text: 'Hi.' }] })
    const connection = { baseUrl: server.url, apiKey: 'sk-test-0123456789', variables: {} }
    const backend = anthropic({ ...connection, model: 'm', providerOptions: { anthropic: { thinking } } })
    await hear(backend.stream(request({ messages })))
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
