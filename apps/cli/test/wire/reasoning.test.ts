import { call, line } from '@loader/test-harness'
import type { WireLine } from '@loader/test-harness/wire'
import { localAgent } from '@loader/agent/local'
import { describe, expect, test } from 'vitest'
import type { Death } from './stage/deaths.ts'
import { faultsIn } from './stage/faults.ts'
import { sessionId } from './stage/job.ts'
import { backendTo } from './stage/protocols.ts'
import { Stage } from './stage/stage.ts'

const files = { 'project/a.txt': 'Hello\n', 'project/b.txt': 'world\n' }
const read = (name: string) => call('read', { file_path: name })
const config = { permissionMode: 'allow' } as const

/** The blocks of the answers in the last request. */
function answersIn(stage: Stage): readonly object[] {
  const { messages } = stage.server.requests.at(-1)?.body as { messages: { role: string; content: object[] }[] }
  return messages.filter(({ role }) => role === 'assistant').flatMap(({ content }) => content)
}

describe('thoughts that Anthropic has signed', () => {
  const signed = (text: string, signature: string) =>
    ({ type: 'reasoning', text, providerMetadata: { anthropic: { signature } } }) as const
  const lines: readonly WireLine[] = [
    { content: [signed('First a.txt, then b.txt.', 'c2lnbmVkIGZpcnN0'), { type: 'text', text: 'I look.' }, { type: 'call', call: read('a.txt') }] },
    { content: [signed('Now the other.\n\nIt has to be there.', 'c2lnbmVkIHRoZW4='), { type: 'call', call: read('b.txt') }] },
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

  test('go back as they came, after a kill and in the next turn of another process', { timeout: 60_000 }, async () => {
    const job = { protocol: 'anthropic', task: 'What do a.txt and b.txt say?', config } as const
    await using stage = await Stage.set({ lines }, { files })
    const killed = await stage.live({ ...job, killAt: { at: 'event', type: 'tool.finished', count: 2 } })
    expect(killed.signal).toBe('SIGKILL')
    expect((await stage.live(job)).stderr).toBe('')
    expect(answersIn(stage)).toEqual([...ofTheFirst, ...ofTheSecond])

    await using agent = localAgent({ backend: backendTo('anthropic', stage.server.url), projectRoot: stage.project, config })
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

describe.each(['anthropic', 'openai-compatible', 'ollama'] as const)('over %s', (protocol) => {
  const thinks: WireLine = {
    reasoning: 'The file has to be read first.',
    text: 'I read it.',
    calls: [read('a.txt')],
    chunks: 'word',
    fault: { type: 'drip', delayMs: 1 },
  }
  const inThought: Death = {
    name: 'in the middle of a thought',
    by: 'itself',
    at: { at: 'delta', type: 'delta.reasoning', text: 'has to be' },
    held: { request: 1, chunks: 5 },
  }

  test('a thought that a kill cut off is not sent as if it were whole', { timeout: 60_000 }, async () => {
    const job = { protocol, task: 'What does a.txt say?', config } as const
    await using stage = await Stage.set({ lines: [thinks, line('It says Hello.')] }, { files, death: inThought })
    expect((await stage.live({ ...job, killAt: inThought.by === 'itself' ? inThought.at : undefined })).signal).toBe('SIGKILL')
    expect(await stage.live(job)).toEqual({ code: 0, signal: null, stderr: '' })
    expect(await faultsIn(stage)).toEqual([])
    const [first, second] = stage.server.requests
    expect(second?.body).toEqual(first?.body)
    expect((await stage.session()).state.lastTurn?.reason).toBe('turn_complete')
  })
})
