import { LoaderError, MemoryStore, textOf } from '@loader/session-core'
import { FileSessionStore } from '@loader/session-fs'
import { call, line, type ScriptLine } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import type { Agent, AgentEvent } from '../src/index.ts'
import { Acknowledged } from './scene/acknowledged.ts'
import { LimitedStore } from './scene/limited-store.ts'
import { ownTool } from './scene/own-tool.ts'
import { scene } from './scene/scene.ts'
import { type Stage, stage as stageOf, type StageOptions } from './scene/stage.ts'
import { eventsOf, faultsOf } from './scene/whole.ts'

const words = 'Explain what this project does.'
const files = { 'notes.txt': 'some\n' }
const look = (pattern: string) => line(`I look for ${pattern}.`, call('glob', { pattern }))

const stage = (lines: readonly ScriptLine[], options: StageOptions = {}) => stageOf(lines, { files, ...options })

/** What the user has said, as the model reads it with this request. */
function heard({ backend }: Stage, request: number): string[] {
  const messages = backend.requests[request - 1]?.messages ?? []
  return messages
    .filter(({ origin }) => origin === 'input' || origin === 'steering')
    .map(({ content }) => textOf(content))
}

/** Says something while a call runs: the next request waits for that. */
function meanwhile(work: (agent: Agent) => Promise<unknown>) {
  let agent: Agent | undefined
  const tool = ownTool('gadget', {
    run: async () => {
      await work(agent as Agent)
      return { outcome: 'ok', text: 'done' }
    },
  })
  return { tools: [tool], of: (one: Agent) => (agent = one) }
}

const gadget = line('I use it.', call('gadget'))

async function say(agent: Agent, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) await agent.queueSteeringMessage(text)
}

describe('what is said while a turn runs', () => {
  test('reaches the model with its next request, in the order in which it was said', async () => {
    const { tools, of } = meanwhile((agent) => say(agent, 'look deeper', 'and be brief'))
    await using set = await stage([gadget, look('**'), line('That is all.')], { tools })
    of(set.agent)
    const result = await set.agent.run(words)
    expect(result).toMatchObject({ reason: 'turn_complete', response: 'That is all.' })
    expect([heard(set, 1), heard(set, 2)]).toEqual([[words], [words, 'look deeper', 'and be brief']])
    const history = await set.expectWhole()
    expect(eventsOf(history, 'turn.started')).toHaveLength(1)
    expect(eventsOf(history, 'input.taken')).toHaveLength(2)
  })

  test('is stored when the call that said it returns', async () => {
    await using folder = await scene()
    const store = new FileSessionStore({ root: folder.workspace.root })
    const reader = new FileSessionStore({ root: folder.workspace.root })
    let stored = false
    const { tools, of } = meanwhile(async (agent) => {
      await agent.queueSteeringMessage('look deeper')
      for await (const event of reader.read(agent.session.id))
        stored ||= 'text' in event && event.text === 'look deeper'
    })
    await using set = await stage([gadget, line('That is all.')], { store, tools })
    of(set.agent)
    await set.agent.run(words)
    expect(stored).toBe(true)
    await set.expectWhole()
  })

  test('during the last answer begins a turn of its own in the same run', async () => {
    let agent: Agent | undefined
    const last: ScriptLine = async () => {
      await say(agent as Agent, 'Explain why that is so.')
      return line('It does nothing.')
    }
    await using set = await stage([last, line('Still nothing.')])
    agent = set.agent
    expect(await set.agent.run(words)).toMatchObject({ response: 'Still nothing.' })
    expect(heard(set, 2)).toEqual([words, 'Explain why that is so.'])
    expect(eventsOf(await set.expectWhole(), 'turn.finished').map(({ reason }) => reason)).toEqual([
      'turn_complete',
      'turn_complete',
    ])
  })

  test('while a failed request waits for its next attempt goes with that', async () => {
    let agent: Agent | undefined
    const busy: ScriptLine = async () => {
      await say(agent as Agent, 'hurry up')
      return { text: '', fault: { type: 'throw', kind: 'overloaded', message: 'busy' } }
    }
    await using set = await stage([look('*'), busy, line('That is all.')])
    agent = set.agent
    expect(await set.agent.run(words)).toMatchObject({ reason: 'turn_complete' })
    expect(heard(set, 3)).toEqual([words, 'hurry up'])
    await set.expectWhole()
  })

  test('is kept when the process ends, and said when the turn goes on', async () => {
    const store = new MemoryStore()
    const hangs: ScriptLine = { text: 'never', fault: { type: 'stall', after: 0 } }
    await using set = await stage([look('*'), hangs, line('That is all.')], { store })
    const said = new Promise<void>((resolve, reject) => {
      const onEvent = ({ type }: AgentEvent) => {
        if (type === 'tool.finished') say(set.agent, 'look deeper').then(resolve, reject)
      }
      set.agent.run(words, { onEvent }).catch(() => undefined)
    })
    await said
    const agent = set.place.again()
    expect(await agent.resumeSession('latest', { takeover: true })).toBe(true)
    expect(await agent.continue()).toMatchObject({ reason: 'turn_complete', response: 'That is all.' })
    expect(heard(set, 3)).toEqual([words, 'look deeper'])
    expect(faultsOf({ history: await set.place.history(), requests: set.backend.requests })).toEqual([])
  })

  test('and not heard before the turn was stopped joins the next one, behind its words', async () => {
    const hangs: ScriptLine = { text: 'never', fault: { type: 'stall', after: 0 } }
    await using set = await stage([look('*'), hangs, look('**'), line('That is all.')])
    let requests = 0
    const onEvent = ({ type }: AgentEvent) => {
      if (type !== 'model.asked') return
      requests += 1
      if (requests === 2) void say(set.agent, 'look deeper').then(() => set.agent.cancel())
    }
    expect(await set.agent.run(words, { onEvent })).toMatchObject({ reason: 'interrupted' })
    expect(await set.agent.explore('What is in notes.txt?')).toMatchObject({
      reason: 'turn_complete',
      response: 'That is all.',
    })
    expect(heard(set, 4)).toEqual([words, 'What is in notes.txt?', 'look deeper'])
    const history = await set.expectWhole()
    expect(eventsOf(history, 'turn.started').map(({ lane }) => lane)).toEqual(['main', 'explore'])
  })
})

describe('messages that were not said yet', () => {
  test('can be taken back, in their order, and are not said then', async () => {
    let drained: readonly string[] = []
    const { tools, of } = meanwhile(async (agent) => {
      await say(agent, 'one', 'two')
      drained = await agent.drainSteeringMessages()
      await say(agent, 'three')
    })
    await using set = await stage([gadget, line('That is all.')], { tools })
    of(set.agent)
    await set.agent.run(words)
    expect(drained).toEqual(['one', 'two'])
    expect(heard(set, 2)).toEqual([words, 'three'])
    expect(eventsOf(await set.expectWhole(), 'input.withdrawn')).toHaveLength(2)
    expect(await set.agent.drainSteeringMessages()).toEqual([])
  })

  test('do not include the task that is about to begin', async () => {
    await using set = await stage([line('It does nothing.')])
    const drained: Promise<readonly string[]>[] = []
    const onEvent = () => void drained.push(set.agent.drainSteeringMessages())
    expect(await set.agent.run(words, { onEvent })).toMatchObject({ response: 'It does nothing.' })
    expect((await Promise.all(drained)).flat()).toEqual([])
  })

  test('and are long come back whole', async () => {
    const long = 'a long story '.repeat(3_000)
    await using set = await stage([])
    await set.agent.queueSteeringMessage(long)
    expect(await set.agent.drainSteeringMessages()).toEqual([long])
  })
})

describe('a second task', () => {
  test('is refused while one runs, and leaves nothing behind', async () => {
    await using set = await stage([line('It does nothing.')])
    const first = set.agent.run(words)
    const second = await set.agent.run('And what else?').catch((error: unknown) => error)
    expect(LoaderError.is(second, 'session_busy')).toBe(true)
    expect(await first).toMatchObject({ response: 'It does nothing.' })
    expect(eventsOf(await set.expectWhole(), 'input.queued')).toHaveLength(1)
  })
})

describe('a message that does not fit on the disk', () => {
  test.for(Array.from({ length: 16 }, (_, index) => index + 1))(
    'at write %i is refused to whoever said it, or stops the turn, and nothing acknowledged is lost',
    async (from) => {
      const store = new LimitedStore({ from: from + 2, lasts: 'once' })
      await using set = await stage(
        [look('*'), look('**'), line('That is all.'), ...Array.from({ length: 4 }, () => line('More.'))],
        { store },
      )
      const acknowledged = new Acknowledged()
      const said: Promise<unknown>[] = []
      const onEvent = (event: AgentEvent) => {
        acknowledged.onEvent(event)
        if (event.type === 'tool.started' || event.type === 'call.examined') {
          said.push(set.agent.queueSteeringMessage(`said at ${event.seq}`).catch((error: unknown) => error))
        }
      }
      const result = await set.agent.run(words, { onEvent }).catch((error: unknown) => error)
      const told = await Promise.all(said)
      if (result instanceof Error) expect(LoaderError.is(result, 'storage_full')).toBe(true)
      else expect(result).toMatchObject({ reason: expect.stringMatching(/^(?:turn_complete|storage_full)$/) })
      for (const error of told) expect(error === undefined || LoaderError.is(error, 'storage_full')).toBe(true)
      const history = await set.expectWhole()
      expect(acknowledged.missingIn(history)).toEqual([])
      const queued = eventsOf(history, 'input.queued').filter(({ source }) => source === 'steering')
      expect(queued).toHaveLength(told.filter((error) => error === undefined).length)
    },
  )
})
