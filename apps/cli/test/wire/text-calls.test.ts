import { line } from '@loader/test-harness'
import type { WireScriptSource } from '@loader/test-harness/wire'
import { fromCi, sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import type { Moment } from './stage/job.ts'
import { eventsOf, faultsIn } from './stage/faults.ts'
import { Scene } from './stage/scene.ts'
import { Stage } from './stage/stage.ts'

const written = (name: string, input: object) => `<tool_call>${JSON.stringify({ name, arguments: input })}</tool_call>`

/** Ollama lists no tools among what the model can do, and its server refuses every request that has some. */
const script: WireScriptSource = {
  models: [{ id: 'scripted', capabilities: ['thinking'], contextWindow: 32_768 }],
  lines: [
    line(`I look at it.\n${written('read', { file_path: 'a.txt' })}`),
    {
      ...line(`I look once more.\n${written('read', { file_path: 'a.txt' })}`),
      when: { lastUser: 'run it again if it is needed' },
      repeat: 'any',
    },
    line(`Now I write it.\n${written('write', { file_path: 'hello.txt', content: 'Hello, world\n' })}`),
    {
      ...line(`I write it once more.\n${written('write', { file_path: 'hello.txt', content: 'Hello, world\n' })}`),
      when: { lastUser: 'Nothing was done' },
      repeat: 'any',
    },
    line('hello.txt is written.'),
  ],
}
const task = 'Write hello.txt with the word in a.txt and the word world.'

describe('a model that makes no calls by itself', () => {
  test('writes them into its text, and reads the results in words', async () => {
    await using scene = await Scene.set({ protocol: 'ollama', files: { 'a.txt': 'Hello\n' }, judged: true, ...script })
    await scene.agent.run(task, { doneWhen: [{ command: 'grep -q world hello.txt' }] })
    scene.server.assertDone()
    expect(await scene.workspace.read('hello.txt')).toBe('Hello, world\n')
    expect(scene.agent.promptFormat).toBe('react')
    expect(scene.asked[0]?.system).toContain('<tool_call>')
    for (const { tools, messages } of scene.asked) {
      expect(tools).toEqual([])
      expect(messages.map(({ role }) => role)).not.toContain('tool')
      expect(messages.flatMap(({ calls }) => calls)).toEqual([])
    }
    const texts = scene.asked.at(-1)?.messages.map(({ text }) => text) ?? []
    expect(texts.filter((text) => text.includes('Observation [read]: Result:'))).toHaveLength(1)
    expect(texts.filter((text) => text.includes('"name":"write"'))).toHaveLength(1)
    const { state, history } = await scene.session()
    expect(state.lastTurn).toMatchObject({ reason: 'turn_complete', verdict: 'verified' })
    expect(eventsOf(history, 'calls.recovered').flatMap(({ calls }) => calls.map(({ name }) => name))).toEqual([
      'read',
      'write',
    ])
  })

  const places: readonly (readonly [string, Moment])[] = [
    ['when its answer is stored, and no call is read out of it yet', { at: 'event', type: 'model.answered', count: 1 }],
    ['when a call was read out of its answer', { at: 'event', type: 'calls.recovered', count: 2 }],
    ['before the call has its effect', { at: 'before tool', name: 'write' }],
    ['when the call had its effect, and nothing tells of it', { at: 'after tool', name: 'write' }],
  ]
  const tried = sample(places.toReversed(), { quick: 1 })

  test.runIf(fromCi).concurrent.each(tried)(
    'comes to the same end when the process is killed %s',
    async (_when, killAt) => {
      const job = {
        protocol: 'ollama',
        task,
        doneWhen: [{ command: 'grep -q world hello.txt' }],
        config: { permissionMode: 'allow' },
      } as const
      await using stage = await Stage.set(script, { files: { 'project/a.txt': 'Hello\n' } })
      expect((await stage.live({ ...job, killAt })).signal).toBe('SIGKILL')
      expect(await stage.live(job)).toEqual({ code: 0, signal: null, stderr: '' })
      expect(await faultsIn(stage)).toEqual([])
      expect(await stage.files()).toEqual({ 'a.txt': 'Hello\n', 'hello.txt': 'Hello, world\n' })
      expect((await stage.session()).state.lastTurn).toMatchObject({ reason: 'turn_complete', verdict: 'verified' })
    },
  )
})
