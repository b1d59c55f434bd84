import { call, line } from '@loader/test-harness'
import type { WireLine } from '@loader/test-harness/wire'
import { textOf } from '@loader/session-core'
import { sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { eventsOf } from './stage/faults.ts'
import { protocols } from './stage/protocols.ts'
import { Scene } from './stage/scene.ts'

const files = { 'a.txt': 'Hello\n' }
const said = ['It says ', 'Hello, ', 'and that is all.']

/** What goes wrong while an answer comes, and what the log calls it. */
const faults: readonly (readonly [string, WireLine, string])[] = [
  ['the connection breaks', { chunks: said, fault: { type: 'cut', after: 2 } }, 'interrupted'],
  ['the connection breaks before the first word', { chunks: said, fault: { type: 'cut', after: 0 } }, 'connection'],
  [
    'the connection breaks within a word',
    { chunks: said, wire: { fault: { type: 'cut_bytes', after: 200 } } },
    'interrupted',
  ],
  [
    'the server says that it is overloaded',
    { chunks: said, fault: { type: 'throw', kind: 'overloaded', after: 2 } },
    'overloaded',
  ],
  ['an event is no JSON', { chunks: said, wire: { fault: { type: 'malformed_event', after: 2 } } }, ''],
  [
    'the connection breaks within a call',
    {
      ...line('I read it.', call('read', { file_path: 'a.txt' })),
      chunks: { arguments: 4 },
      fault: { type: 'cut', after: 3 },
    },
    'interrupted',
  ],
]

describe.each(sample(protocols, { quick: 2 }))('over %s', (protocol) => {
  test.each(faults)('%s: the answer is asked for again, and stands there once', async (_what, broken, kind) => {
    await using scene = await Scene.set({ protocol, files, lines: [broken, { chunks: said }, line('Nothing more.')] })
    const { reason, response } = await scene.agent.run('Hi, how do you do?')
    expect(scene.server.requests.flatMap(({ violations }) => violations)).toEqual([])
    expect([reason, response]).toEqual(['turn_complete', said.join('')])
    const { state, history } = await scene.session()
    const failures = eventsOf(history, 'model.failed').map(({ error }) => error.kind)
    expect(failures).toEqual([kind === '' ? expect.any(String) : kind])
    const [first, second] = scene.server.requests
    expect(second?.body).toEqual(first?.body)
    expect(state.messages.toArray().map(({ content }) => textOf(content))).toEqual([
      'Hi, how do you do?',
      said.join(''),
    ])
  })

  test('an answer that never comes to its end is kept as far as it came, and the next turn goes on from it', async () => {
    const broken = { chunks: said, fault: { type: 'cut', after: 2 }, repeat: 2 } as const
    const lines = [broken, line('I am well.')]
    await using scene = await Scene.set({ protocol, files, lines, config: { limits: { maxAttempts: 2 } } })
    const { reason } = await scene.agent.run('Hi, how do you do?')
    expect(reason).toBe('retry_budget_exhausted')
    const agent = await scene.again()
    await agent.run('Hi, once more?')
    scene.server.assertDone()
    const { messages } = scene.asked.at(-1) ?? { messages: [] }
    expect(messages.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      'user: Hi, how do you do?',
      'assistant: It says Hello, ',
      'user: Hi, once more?',
    ])
    const { state } = await scene.session()
    expect(state.messages.toArray().map(({ interrupted }) => interrupted ?? false)).toEqual([false, true, false, false])
  })
})
