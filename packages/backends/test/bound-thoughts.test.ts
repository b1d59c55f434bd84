import type { Message, Part } from '@loader/session-core'
import { call } from '@loader/test-harness'
import { type WireLine, wireServer } from '@loader/test-harness/wire'
import { expect, test } from 'vitest'
import { anthropic } from '../src/index.ts'
import { assistant, hear, request, result, user } from './requests.ts'

const works = (what: string): WireLine => ({ reasoning: what, calls: [call('write', { path: what })] })

/** A conversation with a model that binds its thoughts to what stood before them; each answer makes one call. */
async function talk(lines: readonly WireLine[]) {
  const server = await wireServer({ lines })
  const backend = anthropic({
    apiKey: 'sk-test-0123456789',
    variables: {},
    baseUrl: server.url,
    model: 'claude-fable-5-1',
  })
  return {
    server,
    ask: async (messages: readonly Message[], fields: Parameters<typeof request>[0] = {}) => {
      const { done, status } = await hear(backend.stream(request({ messages, thinking: 'high', ...fields })))
      const id = `r${messages.length}`
      const results = done.content.flatMap((part: Part) => (part.type === 'call' ? [result(part.call.id, 'Done')] : []))
      return { status, messages: [...messages, assistant(id, ...done.content), ...results] }
    },
    [Symbol.asyncDispose]: () => server.close(),
  }
}

test('thoughts stay valid over calls and tasks, with marks that move', async () => {
  await using one = await talk([
    works('First.'),
    works('Second.'),
    { reasoning: 'Third.', text: 'Done.' },
    { text: 'Yes.' },
  ])
  const first = await one.ask([user('Go.')])
  const second = await one.ask(first.messages)
  const third = await one.ask(second.messages)
  await one.ask([...third.messages, user('Really?')], { thinking: 'low' })
  expect(one.server.requests.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(JSON.stringify(one.server.requests[3]?.body)).toContain('First.')
})

test.each([
  ['other instructions', (messages: readonly Message[]) => ({ messages, system: 'Be long.' })],
  [
    'a summary in their place',
    (messages: readonly Message[]) => ({ messages: [user('What came before.'), ...messages.slice(3)] }),
  ],
])('behind %s they are left out, after one refusal, and new ones stay', async (_what, change) => {
  await using one = await talk([works('First.'), works('Second.'), works('Third.'), { text: 'Done.' }])
  const first = await one.ask([user('Go.')])
  const second = await one.ask(first.messages)
  const { messages, ...fields } = { system: 'Be brief.', ...change(second.messages) }
  const third = await one.ask(messages, fields)
  await one.ask(third.messages, fields)
  expect(one.server.requests.map(({ status }) => status)).toEqual([200, 200, 400, 200, 200])
  expect(one.server.requests[2]?.violations).toMatchObject([{ rule: 'thinkingBound' }])
  const last = JSON.stringify(one.server.requests[4]?.body)
  expect(last).not.toContain('Second.","signature')
  expect(last).toContain('"thinking":"Third."')
})
