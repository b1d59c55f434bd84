import { call, line } from '@loader/test-harness'
import { sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { eventsOf } from './stage/faults.ts'
import { protocols } from './stage/protocols.ts'
import { Scene } from './stage/scene.ts'

const files = { 'a.txt': 'Hello\n', 'b.txt': 'world\n' }
const read = (name: string) => call('read', { file_path: name })

describe.each(sample(protocols, { quick: 2 }))('over %s', (protocol) => {
  test('the results of several calls of one answer go back in the order of the calls', async () => {
    const both = [
      read('a.txt'),
      read('c.txt'),
      call('write', { file_path: 'd.txt', content: 'Hello\n' }),
      read('d.txt'),
    ]
    const lines = [line('All at once.', ...both), line('d.txt is written.')]
    await using scene = await Scene.set({ protocol, files, lines })
    await scene.agent.run('Write d.txt with the word in a.txt.')
    scene.server.assertDone()
    const { messages } = scene.asked[1] ?? { messages: [] }
    const made = messages.flatMap(({ calls }) => calls)
    const results = messages.flatMap((message) => message.results)
    expect(made.map(({ name }) => name)).toEqual(['read', 'read', 'write', 'read'])
    expect(results.map(({ callId }) => callId)).toEqual(made.map(({ id }) => id))
    expect(results.map(({ text }) => text)).toEqual([
      expect.stringContaining('Hello'),
      expect.stringContaining('There is no file c.txt.'),
      expect.stringContaining('Created d.txt'),
      expect.stringContaining('Hello'),
    ])
    // Anthropic and Google want all of them in one message.
    const bringing = messages.filter((message) => message.results.length > 0)
    expect(bringing).toHaveLength(protocol === 'anthropic' || protocol === 'google' ? 1 : 4)
  })

  test('calls of one answer that have the same id are told apart', async () => {
    const lines = [
      { ...line('Both.', read('a.txt'), read('b.txt')), fault: { type: 'duplicate_call_id' } as const },
      line('Hello, world.'),
    ]
    await using scene = await Scene.set({ protocol, files, lines })
    await scene.agent.run('What do a.txt and b.txt say?')
    scene.server.assertDone()
    const { messages } = scene.asked[1] ?? { messages: [] }
    const results = messages.flatMap((message) => message.results)
    expect(new Set(results.map(({ callId }) => callId)).size).toBe(2)
    expect(results.map(({ text }) => text.trim().split('\t')[1])).toEqual(['Hello', 'world'])
  })

  test('ids that come again in every answer do not get into the way of each other', async () => {
    const lines = [
      line('First.', call('read', { file_path: 'a.txt' }, { id: 'call_1' })),
      line('Then.', call('read', { file_path: 'b.txt' }, { id: 'call_1' })),
      line('Hello, world.'),
    ]
    await using scene = await Scene.set({ protocol, files, lines })
    await scene.agent.run('What do a.txt and b.txt say?')
    scene.server.assertDone()
    const { state } = await scene.session()
    expect(state.lastTurn?.reason).toBe('turn_complete')
  })

  test.each(['multi_tool_use.parallel', 'cat a.txt | tr a-z A-Z', 'reads'])(
    'a call of the tool %s, which is not there, is answered, and does not spoil what follows',
    async (name) => {
      const lines = [line('I try this.', call(name, {})), line('Then so.', read('a.txt')), line('It says Hello.')]
      await using scene = await Scene.set({ protocol, files, lines })
      await scene.agent.run('What does a.txt say?')
      scene.server.assertDone()
      const { history } = await scene.session()
      expect(eventsOf(history, 'tool.finished').map(({ outcome }) => outcome)).toEqual(['failed', 'ok'])
    },
  )
})

describe.each(['openai-compatible', 'openai', 'anthropic'] as const)('over %s', (protocol) => {
  test('arguments that are no JSON are told to the model, and do not spoil what follows', async () => {
    const lines = [
      { ...line('I read it.', read('a.txt')), fault: { type: 'malformed_call' } as const },
      line('Once more.', read('a.txt')),
      line('It says Hello.'),
    ]
    await using scene = await Scene.set({ protocol, files, lines })
    await scene.agent.run('What does a.txt say?')
    scene.server.assertDone()
    const results = scene.asked.at(-1)?.messages.flatMap((message) => message.results) ?? []
    expect(results.map(({ text }) => text)).toEqual([
      expect.stringContaining('not JSON'),
      expect.stringContaining('Hello'),
    ])
  })
})
