import { isSessionEvent } from '@loader/session-core'
import { FileSessionStore } from '@loader/session-fs'
import { call, line, type ScriptLine } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import type { AgentEvent, RunResult } from '../src/index.ts'
import { LimitedStore } from './scene/limited-store.ts'
import { ownTool, signalled } from './scene/own-tool.ts'
import { historyOf, scene } from './scene/scene.ts'
import { stage } from './scene/stage.ts'
import { eventsOf } from './scene/whole.ts'

const words = 'Create hello.txt in the workspace root.'
const story: readonly ScriptLine[] = [
  {
    text: 'I will write the file.',
    reasoning: 'That is easy.',
    calls: [call('write', { file_path: 'hello.txt', content: 'hello\n' })],
    chunks: { text: 'word', arguments: 8 },
  },
  line('Now I look.', call('bash', { command: 'cat hello.txt' })),
  { text: 'The file is there.', chunks: 'character' },
]

async function readAll(
  stream: AsyncGenerator<AgentEvent, RunResult>,
): Promise<{ events: AgentEvent[]; result: RunResult }> {
  const events: AgentEvent[] = []
  for (;;) {
    const next = await stream.next()
    if (next.done === true) return { events, result: next.value }
    events.push(next.value)
  }
}

function textIn(
  events: readonly AgentEvent[],
  type: 'delta.text' | 'delta.reasoning' | 'delta.output' | 'delta.call',
): string {
  return events.flatMap((event) => (event.type === type ? [event.text] : [])).join('')
}

describe('a stream', () => {
  test('has every event of the run as it is stored, and what is shown between them', async () => {
    await using set = await stage(story)
    const { events, result } = await readAll(set.agent.stream(words))
    expect(result).toMatchObject({ reason: 'turn_complete', response: 'The file is there.' })
    const history = await set.expectWhole()
    const stored = events.filter((event) => 'seq' in event)
    // What came before the run is the session itself.
    expect(stored).toEqual(history.slice(2))
    expect(history.slice(0, 3).map(({ type }) => type)).toEqual(['session.opened', 'session.claimed', 'input.queued'])
    expect(textIn(events, 'delta.text')).toBe('I will write the file.Now I look.The file is there.')
    expect(textIn(events, 'delta.reasoning')).toBe('That is easy.')
    expect(textIn(events, 'delta.output')).toBe('hello\n')
    expect(textIn(events, 'delta.call')).toContain('"file_path":"hello.txt"')
  })

  test('shows text before the answer is stored, and an event only when it is', async () => {
    await using folder = await scene()
    const store = new FileSessionStore({ root: folder.workspace.root })
    await using set = await stage(story, { store })
    const reader = new FileSessionStore({ root: folder.workspace.root })
    let early = 0
    for await (const event of set.agent.stream(words)) {
      if (isSessionEvent(event as never) && 'seq' in event) {
        expect((await historyOf(reader, set.agent.session.id))[event.seq - 1]).toEqual(event)
      } else early += 1
    }
    expect(early).toBeGreaterThan(10)
  })

  test('tells the listener of the options as well', async () => {
    await using set = await stage(story)
    const heard: AgentEvent[] = []
    const { events } = await readAll(set.agent.stream(words, { onEvent: (event) => heard.push(event) }))
    expect(heard).toEqual(events)
  })

  test('that is not read does not run', async () => {
    await using set = await stage(story)
    const stream = set.agent.stream(words)
    await stream.return({} as RunResult)
    expect(set.agent.isRunning).toBe(false)
    expect(set.agent.session.state).toBeNull()
  })

  test('does not wait for a slow reader', async () => {
    await using set = await stage(story)
    const stream = set.agent.stream(words)
    await stream.next()
    while (set.agent.isRunning) await new Promise((resolve) => setImmediate(resolve))
    expect((await readAll(stream)).result).toMatchObject({ reason: 'turn_complete' })
  })
})

describe('a stream that is left early', () => {
  const kinds = [
    'turn.started',
    'model.asked',
    'delta.text',
    'delta.call',
    'model.answered',
    'call.examined',
    'tool.started',
    'delta.output',
  ] as const

  test.for(kinds)('at %s stops the turn, which is settled when the loop is left', async (kind) => {
    await using set = await stage([...story, line('You are welcome.')])
    for await (const { type } of set.agent.stream(words)) if (type === kind) break
    expect(set.agent.isRunning).toBe(false)
    const history = await set.expectWhole()
    expect(eventsOf(history, 'turn.finished')).toMatchObject([
      { reason: 'interrupted', summary: expect.stringContaining('the stream was closed by its reader') },
    ])
  })

  test('because its reader throws stops the turn as well', async () => {
    await using set = await stage(story)
    const read = async () => {
      for await (const { type } of set.agent.stream(words)) if (type === 'delta.text') throw new Error('no paper')
    }
    await expect(read()).rejects.toThrow('no paper')
    expect(eventsOf(await set.expectWhole(), 'turn.finished')).toMatchObject([{ reason: 'interrupted' }])
  })

  test('during a call that never ends is left a moment later', async () => {
    const entered = signalled()
    const tool = ownTool('gadget', {
      run: () => {
        entered.reach()
        return new Promise(() => {})
      },
    })
    await using set = await stage([line('Now.', call('gadget'))], { tools: [tool] })
    const stream = set.agent.stream('Use the gadget of this project once.')
    await stream.next()
    await entered.reached
    await stream.return({} as RunResult)
    await set.expectWhole()
    expect(set.agent.isRunning).toBe(false)
  })
})

describe('an error', () => {
  test('of the run is thrown to the reader, after the events that came before it', async () => {
    const store = new LimitedStore({ from: 8, lasts: 'until there is space' })
    await using set = await stage(story, { store })
    const seen: string[] = []
    const read = async () => {
      for await (const { type } of set.agent.stream(words)) seen.push(type)
    }
    await expect(read()).rejects.toMatchObject({ code: 'storage_full' })
    expect(seen).toContain('turn.started')
    store.makeSpace()
  })

  test('that another task runs already is thrown at once', async () => {
    await using set = await stage([line('Hello.')])
    const running = set.agent.run('hello')
    await expect(set.agent.stream(words).next()).rejects.toMatchObject({ code: 'session_busy' })
    expect(await running).toMatchObject({ response: 'Hello.' })
  })

  test('of the provider is an event, and an end of the turn', async () => {
    await using set = await stage([{ text: '', fault: { type: 'throw', kind: 'auth', message: 'no key' } }])
    const { events, result } = await readAll(set.agent.stream(words))
    expect(result).toMatchObject({ reason: 'model_failed' })
    expect(events.map(({ type }) => type)).toContain('model.failed')
  })
})
