import { localEnvironment } from '@loader/agent/local'
import { Session, type ThinkingLevel } from '@loader/session-core'
import { isSessionEvent } from '@loader/session-core'
import { call, line } from '@loader/test-harness'
import type { WireLine } from '@loader/test-harness/wire'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { Scene } from './stage/scene.ts'

const files = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`${at}.txt`, `This is ${at}. `.repeat(200)]))
const read = (at: number) => call('read', { file_path: `${at}.txt` })
const thinks = (what: string, ...calls: ReturnType<typeof call>[]): WireLine => ({
  ...line(`I say ${what}.`, ...calls),
  reasoning: `I think of ${what}.`,
})

/** By budget, adaptive, and adaptive with thoughts that are bound to what stood before them. */
const models = ['claude-sonnet-4-5', 'claude-opus-4-8', 'claude-fable-5-1'] as const

const Body = z.looseObject({
  thinking: z.looseObject({ type: z.string() }).optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.array(z.looseObject({ type: z.string() })) })),
})

function bodies(scene: Scene) {
  return scene.server.requests.map(({ body }) => Body.parse(body))
}

/** What was thought, as the last request has it. */
function thoughtsIn(scene: Scene): unknown[] {
  const { messages } = Body.parse(scene.server.requests.at(-1)?.body)
  return messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'thinking' ? [block['thinking']] : [])),
  )
}

function statuses(scene: Scene): number[] {
  return scene.server.requests.map(({ status }) => status)
}

async function levelsAsked(scene: Scene): Promise<(ThinkingLevel | undefined)[]> {
  const { history } = await scene.session()
  return history.flatMap((event) => (isSessionEvent(event) && event.type === 'model.asked' ? [event.thinking] : []))
}

const set = (model: string, thinking: ThinkingLevel | undefined, lines: readonly WireLine[], more = {}) =>
  Scene.set({ protocol: 'anthropic', model, files, lines, config: thinking === undefined ? {} : { thinking }, ...more })

describe.each(models)('%s', (model) => {
  test('takes its thoughts back over interleaved calls, tasks and a restart', async () => {
    const lines = [
      thinks('one', read(1)),
      thinks('two', read(2), read(3)),
      thinks('three'),
      thinks('four', read(4)),
      line('Done.'),
    ]
    await using scene = await set(model, 'high', lines)
    await scene.agent.run('Read 1.txt, then 2.txt and 3.txt.')
    const agent = await scene.again()
    await agent.run('Read 4.txt as well.')
    scene.server.assertDone()
    expect(thoughtsIn(scene)).toEqual(['one', 'two', 'three', 'four'].map((what) => `I think of ${what}.`))
    expect(await levelsAsked(scene)).toEqual(Array.from({ length: 5 }, () => 'high'))
  })

  test('is switched between tasks: off, high, off and low', async () => {
    const turn = (what: string, at: number) => [thinks(what, read(at)), line(`${what} is done.`)]
    const silent = (what: string, at: number) => [line(`I look at ${what}.`, read(at)), line(`${what} is done.`)]
    const lines = [...silent('one', 1), ...turn('two', 2), ...silent('three', 3), ...turn('four', 4)]
    await using scene = await set(model, 'off', lines)
    await scene.agent.run('Read 1.txt.')
    for (const [thinking, at] of [
      ['high', 2],
      ['off', 3],
      ['low', 4],
    ] as const) {
      const agent = await scene.again('anthropic', { config: { thinking } })
      await agent.run(`Read ${at}.txt.`)
    }
    scene.server.assertDone()
    const levels = ['off', 'off', 'high', 'high', 'off', 'off', 'low', 'low']
    expect(await levelsAsked(scene)).toEqual(levels)
    const on = model === 'claude-sonnet-4-5' ? 'enabled' : 'adaptive'
    const off = model === 'claude-fable-5-1' ? undefined : 'disabled'
    expect(bodies(scene).map(({ thinking }) => thinking?.type)).toEqual(
      levels.map((level) => (level === 'off' ? off : on)),
    )
  })

  test.each([
    ['off', 'high'],
    ['high', 'off'],
  ] as const)('goes on when a turn that broke off at %s is continued at %s', async (first, second) => {
    const begun = first === 'off' ? line('I look.', read(1)) : thinks('one', read(1))
    const fails: WireLine = { fault: { type: 'throw', kind: 'auth' } }
    await using scene = await set(model, first, [begun, fails, line('I look on.', read(2)), line('Done.')])
    expect((await scene.agent.run('Read 1.txt and 2.txt.')).reason).toBe('model_failed')
    const agent = await scene.again('anthropic', { config: { thinking: second } })
    expect((await agent.run('Go on, please.')).reason).toBe('turn_complete')
    expect(statuses(scene)).toEqual([200, 401, 200, 200])
    expect(scene.server.problems()).toEqual([])
  })

  test('goes on when a summary has cut through its turn', async () => {
    const lines: WireLine[] = Array.from({ length: 8 }, (_, at) => thinks(`step ${at}`, read(at)))
    const config = { thinking: 'high', limits: { compactAtTokens: 5500, keepLastMessages: 4 } } as const
    await using scene = await Scene.set({
      protocol: 'anthropic',
      model,
      files,
      lines: [...lines, line('Done.')],
      config,
      usage: 'counted',
    })
    expect((await scene.agent.run('Read them all.')).reason).toBe('turn_complete')
    expect((await scene.session()).history.some((event) => event.type === 'context.compacted')).toBe(true)
    // Thoughts that are bound to what was folded are refused once, and left out from then on.
    const refused = scene.server.requests.filter(({ status }) => status !== 200)
    expect(refused.flatMap(({ violations }) => violations.map(({ rule }) => rule))).toEqual(
      model === 'claude-fable-5-1' ? refused.map(() => 'thinkingBound') : [],
    )
    const { history } = await scene.session()
    const summaries = history.filter((event) => event.type === 'context.compacted').length
    expect(refused.length).toBeLessThanOrEqual(model === 'claude-fable-5-1' ? summaries : 0)
  })

  test('gets back what it kept to itself: a redacted thought, and one whose text is omitted', async () => {
    const hidden: WireLine = {
      content: [
        { type: 'reasoning', text: '', providerMetadata: { anthropic: { redactedData: 'c2VjcmV0' } } },
        { type: 'reasoning', text: '' },
        { type: 'text', text: 'I look.' },
        { type: 'call', call: read(1) },
      ],
    }
    await using scene = await set(model, 'medium', [hidden, line('Done.'), line('Yes.')])
    await scene.agent.run('Read 1.txt.')
    await (await scene.again()).run('Really?')
    scene.server.assertDone()
    const [answer] = (bodies(scene).at(-1)?.messages ?? []).filter(({ role }) => role === 'assistant')
    expect(answer?.content.map(({ type }) => type)).toEqual(['redacted_thinking', 'thinking', 'text', 'tool_use'])
    expect(answer?.content[0]).toMatchObject({ data: 'c2VjcmV0' })
    expect(answer?.content[1]).toMatchObject({ thinking: '', signature: expect.stringMatching(/.+/) })
  })

  test('goes on with thoughts that Claude Code left behind, and that cannot be read', async () => {
    const lines = [line('I look.', read(1)), thinks('it', read(2)), line('Done.'), line('Yes.')]
    await using scene = await set(model, 'high', lines)
    await scene.agent.resumeSession(await importedThoughts(scene))
    await scene.agent.run('Read 1.txt and 2.txt.')
    await scene.agent.run('Really?')
    expect(statuses(scene)).toEqual([400, 200, 200, 200, 200])
    expect(scene.server.requests[0]?.violations).toMatchObject([{ rule: 'thinkingUnchanged' }])
    expect(thoughtsIn(scene)).toEqual(['I think of it.'])
  })
})

/** A session whose history has a thought with the signature of another account, as `loader import` records it. */
async function importedThoughts(scene: Scene): Promise<string> {
  const environment = localEnvironment()
  const session = await Session.open(scene.store, { environment, project: { root: scene.workspace.root } })
  const at = environment.now()
  const providerMetadata = { anthropic: { signature: 'b2YgYW5vdGhlciBhY2NvdW50' } }
  await session.append({
    type: 'session.imported',
    source: { kind: 'claude' },
    messages: [
      { id: 'in_1', role: 'user', origin: 'input', at, content: [{ type: 'text', text: 'Hello.' }] },
      {
        id: 'r_1',
        role: 'assistant',
        origin: 'model',
        at,
        content: [
          { type: 'reasoning', text: 'A greeting.', providerMetadata },
          { type: 'text', text: 'Hello!' },
        ],
      },
    ],
  })
  await session.close()
  return session.id
}

describe('a change of model', () => {
  test('leaves the thoughts of the other behind, and keeps the level', async () => {
    const lines = [thinks('one', read(1)), line('Done.'), thinks('two', read(2)), line('Done again.'), line('Yes.')]
    await using scene = await set('claude-opus-4-8', 'high', lines)
    await scene.agent.run('Read 1.txt.')
    const { policy } = (await scene.session()).state
    expect(policy?.thinking).toBe('high')
    const over = await scene.again('ollama', { config: { thinking: 'high' } })
    await over.run('Read 2.txt.')
    expect(scene.server.requests.at(-1)?.body).toMatchObject({ think: true })
    await (await scene.again('anthropic', { config: { thinking: 'high' } })).run('Really?')
    scene.server.assertDone()
    expect(thoughtsIn(scene)).toEqual(['I think of one.'])
  })
})
