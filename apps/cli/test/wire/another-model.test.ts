import { call, line } from '@loader/test-harness'
import { sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { protocols } from './stage/protocols.ts'
import { Scene } from './stage/scene.ts'

const files = { 'a.txt': 'Hello\n', 'b.txt': 'world\n' }
const read = (name: string) => call('read', { file_path: name })

const pairs = protocols.flatMap((first) => protocols.map((next) => ({ first, next })))

describe.each(sample(pairs, { quick: 4 }))('begun over $first', ({ first, next }) => {
  test(`a session goes on over ${next}`, async () => {
    const lines = [
      { ...line('I look at both.', read('a.txt'), read('b.txt')), reasoning: 'Two files.' },
      { ...line('Hello and world.'), reasoning: 'That is all.' },
      { ...line('I look again.', read('a.txt')), reasoning: 'It may have changed.' },
      line('Still Hello.'),
    ]
    await using scene = await Scene.set({ protocol: first, files, lines })
    await scene.agent.run('What do a.txt and b.txt say?')
    const agent = await scene.again(next)
    const { reason } = await agent.run('What does a.txt say now?')
    scene.server.assertDone()
    expect(reason).toBe('turn_complete')
    const results = scene.asked.at(-1)?.messages.flatMap((message) => message.results)
    expect(results).toHaveLength(3)
  })

  test(`a turn that failed behind its calls is followed by one over ${next}`, async () => {
    const lines = [
      { ...line('I look at both.', read('a.txt'), read('b.txt')), reasoning: 'Two files.' },
      { fault: { type: 'throw', kind: 'auth' } } as const,
      line('I look again.', read('a.txt')),
      line('Hello and world.'),
    ]
    await using scene = await Scene.set({ protocol: first, files, lines })
    expect((await scene.agent.run('What do a.txt and b.txt say?')).reason).toBe('model_failed')
    const agent = await scene.again(next)
    const { reason } = await agent.run('Once more, please: what do they say?')
    scene.server.assertDone()
    expect(reason).toBe('turn_complete')
  })
})
