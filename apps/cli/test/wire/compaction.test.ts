import { shownText } from '@loader/session-core'
import { call, line } from '@loader/test-harness'
import type { WireLine } from '@loader/test-harness/wire'
import { fromCi, sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import type { Death } from './stage/deaths.ts'
import { eventsOf, faultsIn } from './stage/faults.ts'
import { protocols } from './stage/protocols.ts'
import { Scene } from './stage/scene.ts'
import { Stage } from './stage/stage.ts'

const names = ['one', 'two', 'three', 'four', 'five']
const chapter = (name: string) => `Chapter ${name}.\n${`What happens in chapter ${name} is told here.\n`.repeat(160)}`
const files = Object.fromEntries(names.map((name) => [`${name}.txt`, chapter(name)]))
const task =
  'Sum up the chapters in summary.txt, a line for each of one.txt, two.txt, three.txt, four.txt and five.txt.'
const doneWhen = [{ command: 'test "$(wc -l < summary.txt)" -eq 5' }]

/** A model that thinks at the beginning of its turn alone, as models do that do not think between calls. */
const lines: readonly WireLine[] = [
  {
    ...line('## Work so far\n- The chapters are read in their order.'),
    when: { system: 'You write the summary' },
    repeat: 'any',
  },
  ...names.flatMap((name, index): WireLine[] => [
    {
      ...(index === 0 && { reasoning: 'One after the other.' }),
      ...line(`I read chapter ${name}.`, call('read', { file_path: `${name}.txt` })),
    },
    line(`The line of ${name}.`, call('bash', { command: `head -n 1 ${name}.txt >> summary.txt` })),
  ]),
  line('Every chapter has its line in summary.txt.'),
]
const config = { permissionMode: 'allow', limits: { compactAtTokens: 7000, keepLastMessages: 3 } } as const

describe.each(sample(protocols, { quick: 1, ci: 2 }))('over %s', (protocol) => {
  test.runIf(fromCi).each(['local', 'model'] as const)(
    'a compaction (%s) in the middle of a turn leaves every later request acceptable',
    async (compaction) => {
      await using scene = await Scene.set({ protocol, files, lines, config: { ...config, compaction }, judged: true })
      await scene.agent.run(task, { doneWhen })
      scene.server.assertDone()
      const { state, history } = await scene.session()
      expect(state.lastTurn).toMatchObject({ reason: 'turn_complete', verdict: 'verified' })
      expect(await scene.workspace.read('summary.txt')).toBe(names.map((name) => `Chapter ${name}.\n`).join(''))
      const compacted = eventsOf(history, 'context.compacted')
      expect(compacted.length).toBeGreaterThanOrEqual(1)
      expect(compacted.map(({ method }) => method)).toEqual(compacted.map(() => compaction))
      for (const { messageId, text } of compacted) {
        const first = scene.asked.find(({ messages }) =>
          messages.some((message) => message.text.includes(shownText(text))),
        )
        expect(first, `a request with the summary ${messageId}`).toBeDefined()
      }
      expect(JSON.stringify(scene.asked.at(-1)?.messages)).not.toContain('Chapter one.\\n')
    },
  )

  test('a request that is too long for the server leads to a compaction, and to a smaller one that is answered', async () => {
    const long = 'What happens in this chapter is told here, line by line.\n'.repeat(1500)
    const models = [{ id: 'scripted', contextWindow: 10_000 }]
    await using scene = await Scene.set({
      protocol,
      models,
      files: { 'a.txt': long },
      lines: [line('I read it.', call('read', { file_path: 'a.txt' })), line('It tells a chapter, line by line.')],
      // Nobody told the agent how small the window is.
      config: { contextWindow: 200_000, limits: { maxOutputTokens: 2000 } },
    })
    const { reason } = await scene.agent.run('What does a.txt say?')
    expect(reason).toBe('turn_complete')
    expect(scene.server.requests.map(({ violations }) => violations.map(({ rule }) => rule))).toEqual([
      [],
      ['window'],
      [],
    ])
    const [, refused, smaller] = scene.asked
    expect(smaller?.tokens).toBeLessThan((refused?.tokens ?? 0) / 2)
    expect(smaller?.messages.map(({ text }) => text).join('\n')).toContain('What does a.txt say?')
    const { history } = await scene.session()
    expect(eventsOf(history, 'model.failed').map(({ error }) => error.kind)).toEqual(['context_too_long'])
    expect(eventsOf(history, 'context.compacted').map(({ why }) => why)).toEqual(['overflow'])
    expect(scene.server.journal().left).toEqual([])
  })

  test('a request that stays too long ends the turn, and says so', async () => {
    const models = [{ id: 'scripted', contextWindow: 2000 }]
    await using scene = await Scene.set({ protocol, models, lines: [], config: { contextWindow: 200_000 } })
    const { reason } = await scene.agent.run('What does a.txt say?')
    expect(reason).toBe('context_exhausted')
    expect(scene.server.requests.length).toBeLessThanOrEqual(3)
  })
})

const deaths: readonly Death[] = [
  { name: 'when the summary is in its place', by: 'itself', at: { at: 'event', type: 'context.compacted', count: 1 } },
  { name: 'while the summary is written', by: 'server', moment: 'before', request: 4 },
  { name: 'when the summary was sent', by: 'server', moment: 'after', request: 4 },
  { name: 'before the first request behind the summary is answered', by: 'server', moment: 'before', request: 5 },
]

describe.concurrent.each(sample(protocols, { quick: 1, ci: 2 }))('over %s, a task', (protocol) => {
  test.runIf(fromCi).each(sample(deaths, { quick: 1 }))(
    'comes to the same end when its process is killed $name',
    async (death) => {
      const inProject = Object.fromEntries(Object.entries(files).map(([path, text]) => [`project/${path}`, text]))
      const job = { protocol, task, doneWhen, config: { ...config, compaction: 'model' } } as const
      await using stage = await Stage.set({ lines }, { files: inProject, death })
      const killed = await stage.live({ ...job, ...(death.by === 'itself' && { killAt: death.at }) })
      expect(killed.signal).toBe('SIGKILL')
      expect(await stage.live(job)).toEqual({ code: 0, signal: null, stderr: '' })
      expect(await faultsIn(stage)).toEqual([])
      const { state } = await stage.session()
      expect(state.lastTurn).toMatchObject({ reason: 'turn_complete', verdict: 'verified' })
    },
  )
})
