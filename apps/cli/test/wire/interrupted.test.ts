import { call, line } from '@loader/test-harness'
import { sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { eventsOf } from './stage/faults.ts'
import { protocols } from './stage/protocols.ts'
import { Scene } from './stage/scene.ts'

const files = { 'a.txt': 'Hello\n' }
const read = call('read', { file_path: 'a.txt' })
const wait = call('bash', { command: 'echo begun >> log.txt && echo half way && sleep 60' })

describe.each(sample(protocols, { quick: 2 }))('over %s', (protocol) => {
  test('an answer that the user stops is kept as far as it came, and the next task goes on behind it', async () => {
    const stalled = { chunks: ['I look at ', 'the file.'], fault: { type: 'stall', after: 1 } } as const
    await using scene = await Scene.set({ protocol, files, lines: [stalled, line('I look.', read), line('Hello.')] })
    const { agent } = scene
    const { reason } = await agent.run('What does a.txt say?', {
      onEvent: (event) => {
        if (event.type === 'delta.text') agent.cancel()
      },
    })
    expect(reason).toBe('interrupted')
    await scene.server.untilIdle()
    expect(scene.server.requests[0]?.end).toBe('left')
    await agent.run('Look again: what does a.txt say?')
    scene.server.assertDone()
    expect(scene.asked[1]?.messages.map(({ role, text }) => `${role}: ${text.trim()}`)).toEqual([
      'user: What does a.txt say?',
      'assistant: I look at',
      'user: Look again: what does a.txt say?',
    ])
  })

  test('a command that the user stops is unknown, and the call behind it was not made', async () => {
    await using scene = await Scene.set({ protocol, files, lines: [line('I build.', wait, read), line('I see.')] })
    const { agent } = scene
    const { reason } = await agent.run('Build it, and tell what a.txt says.', {
      onEvent: (event) => {
        if (event.type === 'delta.output' && event.text.includes('half way')) agent.cancel()
      },
    })
    expect(reason).toBe('interrupted')
    await agent.run('Was it built? Say so in words.')
    expect(scene.server.requests.flatMap(({ violations }) => violations)).toEqual([])
    const results = scene.asked[1]?.messages.flatMap((message) => message.results.map(({ text }) => text)) ?? []
    const { history } = await scene.session()
    expect(eventsOf(history, 'tool.finished').map(({ outcome }) => outcome)).not.toContain('ok')
    expect(results).toHaveLength(2)
    expect(results[1]).toContain('Not run')
    expect(await scene.workspace.read('log.txt')).toBe('begun\n')
  })

  test('words that come while a call runs are said behind its result', async () => {
    const lines = [line('I build.', call('bash', { command: 'echo begun' })), line('I mind the tests.')]
    await using scene = await Scene.set({ protocol, files, lines })
    const { agent } = scene
    let queued: Promise<void> | undefined
    await agent.run('Build it.', {
      onEvent: (event) => {
        if (event.type === 'tool.started') queued = agent.queueSteeringMessage('Mind the tests.')
      },
    })
    await queued
    expect(scene.server.requests.flatMap(({ violations }) => violations)).toEqual([])
    const [, second] = scene.asked
    expect(second?.messages.at(-1)?.text).toContain('Mind the tests.')
    expect(second?.messages.flatMap((message) => message.results)).toHaveLength(1)
  })
})
