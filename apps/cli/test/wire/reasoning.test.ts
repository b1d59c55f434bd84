import { call, line } from '@loader/test-harness'
import type { WireLine } from '@loader/test-harness/wire'
import { Agent } from '@loader/agent'
import { localOptions } from '@loader/agent/local'
import { fromCi, sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { Death } from './stage/deaths.ts'
import { faultsIn } from './stage/faults.ts'
import { sessionId } from './stage/job.ts'
import { backendTo } from './stage/protocols.ts'
import { Stage } from './stage/stage.ts'

const files = { 'project/a.txt': 'Hello\n', 'project/b.txt': 'world\n' }
const read = (name: string) => call('read', { file_path: name })
const config = { permissionMode: 'allow' } as const

const Body = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.array(z.looseObject({})) })),
})

/** The blocks of the answers in the last request. */
function answersIn(stage: Stage): readonly object[] {
  const { messages } = Body.parse(stage.server.requests.at(-1)?.body)
  return messages.filter(({ role }) => role === 'assistant').flatMap(({ content }) => content)
}

describe('thoughts that Anthropic has signed', () => {
  const signed = (text: string, signature: string) =>
    ({ type: 'reasoning', text, providerMetadata: { anthropic: { signature } } }) as const
  const lines: readonly WireLine[] = [
    {
      content: [
        signed('First a.txt, then b.txt.', 'c2lnbmVkIGZpcnN0'),
        { type: 'text', text: 'I look.' },
        { type: 'call', call: read('a.txt') },
      ],
    },
    {
      content: [
        signed('Now the other.\n\nIt has to be there.', 'c2lnbmVkIHRoZW4='),
        { type: 'call', call: read('b.txt') },
      ],
    },
    { content: [signed('Both are known.', 'c2lnbmVkIGxhc3Q='), { type: 'text', text: 'They say Hello and world.' }] },
    line('As I said.'),
  ]
  const thought = (thinking: string, signature: string) => ({ type: 'thinking', thinking, signature })
  const ofTheFirst = [
    thought('First a.txt, then b.txt.', 'c2lnbmVkIGZpcnN0'),
    { type: 'text', text: 'I look.' },
    { type: 'tool_use', id: expect.any(String), name: 'read', input: { file_path: 'a.txt' } },
  ]
  const ofTheSecond = [
    thought('Now the other.\n\nIt has to be there.', 'c2lnbmVkIHRoZW4='),
    { type: 'tool_use', id: expect.any(String), name: 'read', input: { file_path: 'b.txt' } },
  ]

  test.runIf(fromCi)('go back as they came, after a kill and in the next turn of another process', async () => {
    const job = { protocol: 'anthropic', task: 'What do a.txt and b.txt say?', config } as const
    await using stage = await Stage.set({ lines }, { files })
    const killed = await stage.live({ ...job, killAt: { at: 'event', type: 'tool.finished', count: 2 } })
    expect(killed.signal).toBe('SIGKILL')
    expect((await stage.live(job)).stderr).toBe('')
    expect(answersIn(stage)).toEqual([...ofTheFirst, ...ofTheSecond])

    const options = localOptions({
      backend: backendTo('anthropic', stage.server.url),
      projectRoot: stage.project,
      walls: { use: 'off' },
      config,
    })
    const tools = options.tools.filter(({ name }) => name !== 'finish')
    await using agent = new Agent({ ...options, tools })
    expect(await agent.resumeSession(sessionId)).toBe(true)
    await agent.run('Thanks! And what was in b.txt again?')
    expect(answersIn(stage)).toEqual([
      ...ofTheFirst,
      ...ofTheSecond,
      thought('Both are known.', 'c2lnbmVkIGxhc3Q='),
      { type: 'text', text: 'They say Hello and world.' },
    ])
    stage.server.assertDone()
  })
})

const long = 'The file has to be read first. '.repeat(200)
const inThought: readonly (Death & { readonly thought: string })[] = [
  {
    name: 'of which nothing was stored',
    thought: 'The file has to be read first.',
    by: 'itself',
    at: { at: 'delta', type: 'delta.reasoning', text: 'has to be' },
    held: { request: 1, chunks: 5 },
  },
  {
    name: 'of which the most was stored',
    thought: long,
    by: 'itself',
    at: { at: 'event that says', type: 'answer.progressed', text: 'has to be' },
    held: { request: 1, chunks: 1000 },
  },
]

describe.each(['claude-sonnet-4-5', 'claude-opus-4-8', 'claude-fable-5-1'])('%s, told to think', (model) => {
  test.runIf(fromCi)('goes on after a kill in the middle of a thought between two calls', async () => {
    const job = {
      protocol: 'anthropic',
      model,
      task: 'What do a.txt and b.txt say?',
      config: { ...config, thinking: 'high' },
    } as const
    const lines: readonly WireLine[] = [
      { ...line('I look.', read('a.txt')), reasoning: 'First a.txt.' },
      { ...line('On.', read('b.txt')), reasoning: long, chunks: 'word', fault: { type: 'drip', delayMs: 1 } },
      { ...line('They say Hello and world.'), reasoning: 'Both are known.' },
    ]
    const at = { at: 'event that says', type: 'answer.progressed', text: 'has to be' } as const
    const death = { name: 'in a thought', by: 'itself', at, held: { request: 2, chunks: 1000 } } as const
    await using stage = await Stage.set({ lines }, { files, death })
    expect((await stage.live({ ...job, killAt: at })).signal).toBe('SIGKILL')
    expect(await stage.live(job)).toEqual({ code: 0, signal: null, stderr: '' })
    expect(await faultsIn(stage)).toEqual([])
    expect(stage.server.requests[2]?.body).toEqual(stage.server.requests[1]?.body)
    expect(answersIn(stage).filter((block) => 'thinking' in block)).toMatchObject([
      { thinking: 'First a.txt.', signature: expect.stringMatching(/.+/) },
      { thinking: long, signature: expect.stringMatching(/.+/) },
    ])
  })
})

const thinking = ['anthropic', 'openai-compatible', 'ollama'] as const
const tried = sample(thinking, { quick: 1 })

describe.concurrent.each(tried)('over %s', (protocol) => {
  test.runIf(fromCi).each(inThought)(
    'a thought that a kill cut off, $name, is not sent as if it were whole',
    async ({ thought, ...death }) => {
      const job = { protocol, task: 'What does a.txt say?', config } as const
      const thinks: WireLine = {
        ...line('I read it.', read('a.txt')),
        reasoning: thought,
        chunks: 'word',
        fault: { type: 'drip', delayMs: 1 },
      }
      await using stage = await Stage.set({ lines: [thinks, line('It says Hello.')] }, { files, death })
      const killed = await stage.live({ ...job, ...(death.by === 'itself' && { killAt: death.at }) })
      expect(killed.signal).toBe('SIGKILL')
      expect(await stage.live(job)).toEqual({ code: 0, signal: null, stderr: '' })
      expect(await faultsIn(stage)).toEqual([])
      const [first, second] = stage.server.requests
      expect(second?.body).toEqual(first?.body)
      expect((await stage.session()).state.lastTurn?.reason).toBe('turn_complete')
    },
  )
})
