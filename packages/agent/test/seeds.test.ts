import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { type Backend, type Message, readSession, type SessionEvent, textOf } from '@loader/session-core'
import { FileSessionStore } from '@loader/session-fs'
import {
  call,
  line,
  ScriptedBackend,
  type ScriptLine,
  temporaryWorkspace,
  type TemporaryWorkspace,
} from '@loader/test-harness'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Agent, type AgentConfig, type AgentEvent, type Hook, type RunResult, RuntimeHandle } from '../src/index.ts'
import { localAgent, type LocalAgentOptions, localOptions } from '../src/local.ts'
import { heldBackend, type HeldBackend } from './seeds/held-backend.ts'
import { type ManualEnvironment, manualEnvironment } from './seeds/manual-environment.ts'

// Counterparts of the tests that the project grew from; docs/seeds.md says which is which.

let workspace: TemporaryWorkspace

beforeEach(async () => {
  workspace = await temporaryWorkspace()
})
afterEach(() => workspace.dispose())

const config: AgentConfig = { instructions: false }
const task = 'Create hello.txt in the workspace root.'

function optionsFor(backend: Backend, more: Partial<LocalAgentOptions> = {}): LocalAgentOptions {
  const store = new FileSessionStore({ root: workspace.root })
  return { backend, projectRoot: workspace.root, config, store, walls: { use: 'off' }, ...more }
}

function agentWith(...lines: readonly ScriptLine[]): Agent {
  return localAgent(optionsFor(new ScriptedBackend(...lines)))
}

const pathOf = (name: string) => workspace.path('.loader', 'sessions', name)
const readJson = async (name: string): Promise<unknown> => JSON.parse(await readFile(pathOf(name), 'utf8'))

/** The session as the next process finds it in the files. */
const stored = (id: string) => readSession(new FileSessionStore({ root: workspace.root }), id)

describe('a session', () => {
  test('session persists and resumes across agent restart', async () => {
    const first = agentWith(
      {
        text: "I'll create the file.",
        calls: [call('write', { file_path: workspace.path('hello.txt'), content: 'hello\n' }, { id: 'write-1' })],
        usage: { inputTokens: 12, outputTokens: 5 },
      },
      { text: 'The file is written.', usage: { inputTokens: 10, outputTokens: 4 } },
    )
    const { text, response, goal } = await first.run(task)
    expect(text.startsWith('The file is written.')).toBe(true)
    expect(response).toBe('The file is written.')
    expect(await workspace.read('hello.txt')).toBe('hello\n')
    const { session, workflowMode } = first
    const { id } = session
    expect(existsSync(pathOf(`${id}.json`))).toBe(true)
    await first.close()

    await using resumed = agentWith()
    expect(await resumed.resumeSession(id)).toBe(true)
    expect(resumed.session.id).toBe(id)
    expect(resumed.currentTask).toBe(task)
    expect(resumed.activePermissionMode).toBe('workspace-write')
    expect(resumed.workflowMode).toBe(workflowMode)
    expect(resumed.lastTurnSummary?.goal).toEqual(goal)
    expect(resumed.lastTurnSummary?.goal?.task).toBe(task)
    expect(resumed.messages[0]).toMatchObject({ role: 'user', content: [{ type: 'text', text: task }] })
    expect(await resumed.resumeSession('not-there')).toBe(false)
    expect(resumed.session.id).toBe(id)
  })

  test('clearing the history begins a fresh session', async () => {
    await using agent = agentWith(line('Looked.'))
    await agent.explore('What is in here?')
    const { id } = agent.session
    expect(agent.promptFormat).toBe('native')
    expect(agent.promptSections).toContain('Workflow Context')
    await agent.setWorkflowMode('clarify')
    await agent.queueSteeringMessage('Stay in runtime.')
    expect(agent.workflowMode).toBe('clarify')

    await agent.clearHistory()
    expect(agent.session.id).not.toBe(id)
    expect(agent).toMatchObject({ currentTask: null, workflowMode: 'execute', promptFormat: null, promptSections: [] })
    expect(agent.messages).toEqual([])
    expect(agent.lastTurnSummary).toBeNull()
    expect(await agent.drainSteeringMessages()).toEqual([])
    const before = await stored(id)
    expect(wordsOf(before.state.messages)).toEqual(['What is in here?', 'Looked.'])
  })

  test('session rotation kicks in at size cap', async () => {
    const store = new FileSessionStore({ root: workspace.root }, { rotateAfterBytes: 250 })
    const lines = Array.from({ length: 6 }, () => line('Seen.'))
    await using agent = localAgent(optionsFor(new ScriptedBackend(...lines), { store }))
    for (let index = 0; index < 6; index += 1) await agent.explore(`Message ${index}: ${'x'.repeat(120)}`)
    const { id } = agent.session
    expect(existsSync(pathOf(`${id}.json`))).toBe(true)
    expect(existsSync(pathOf(`${id}.1.json`))).toBe(true)
    expect((await stored(id)).state.messages).toHaveLength(12)
  })

  test('session compaction persists summary and recent messages', async () => {
    await using agent = agentWith(
      line(`Initial findings: ${'a long list of what was found. '.repeat(100)}`),
      line('Compaction design drafted'),
      line('Ready to compact'),
    )
    await agent.explore('Kick off runtime audit')
    await agent.explore('Focus on sessions')
    await agent.explore('Preserve the latest four messages')
    const { reason } = await agent.compact()
    expect(reason).toBe('turn_complete')

    const { state } = await stored(agent.session.id)
    expect(state.compaction).toMatchObject({ count: 1, method: 'local' })
    const [summary, ...kept] = wordsOf(state.messages)
    expect(summary?.startsWith('[COMPACTED CONTEXT]')).toBe(true)
    expect(kept).toEqual([
      'Focus on sessions',
      'Compaction design drafted',
      'Preserve the latest four messages',
      'Ready to compact',
    ])
    expect(existsSync(pathOf(`${agent.session.id}.json`))).toBe(true)
  })

  test('resuming a session updates runtime owner metadata', async () => {
    const agent = agentWith(line('Looked.'))
    await agent.explore('What is in here?')
    const { id } = agent.session
    await agent.close()
    expect(await readJson(`${id}.json`)).toMatchObject({
      owner: { type: 'Agent', path: 'public-agent', pid: process.pid, host: hostname() },
    })

    await using handle = new RuntimeHandle(localOptions(optionsFor(new ScriptedBackend())))
    expect(await handle.resumeSession(id)).toBe(true)
    const owner = { type: 'RuntimeHandle', path: 'runtime-handle', pid: process.pid, host: hostname() }
    expect((await stored(id)).state.owner).toEqual(owner)
    await handle.close()
    expect(await readJson(`${id}.json`)).toMatchObject({ owner })
  })

  test('turn summary usage rolls up into session totals', async () => {
    const agent = localAgent(
      optionsFor(new ScriptedBackend({ text: "Here's the answer.", usage: { inputTokens: 9, outputTokens: 3 } }), {
        config: { ...config, completionCheck: false },
      }),
    )
    await agent.run('Write a short release-note style summary of what Loader does well.')
    const used = { inputTokens: 9, outputTokens: 3, turns: 1 }
    expect(agent.lastTurnSummary).toMatchObject({ usage: used, cumulativeUsage: used })
    const { id } = agent.session
    await agent.close()

    await using resumed = agentWith({ text: 'Welcome.', usage: { inputTokens: 2, outputTokens: 1 } })
    await resumed.resumeSession(id)
    expect(await resumed.run('thanks')).toMatchObject({
      usage: { inputTokens: 2, outputTokens: 1, turns: 1 },
      cumulativeUsage: { inputTokens: 11, outputTokens: 4, turns: 2 },
    })
  })
})

describe('while a turn runs', () => {
  let environment: ManualEnvironment
  let model: HeldBackend
  let agent: Agent
  let told: Told

  beforeEach(() => {
    environment = manualEnvironment()
    model = heldBackend()
    agent = new Agent({ ...localOptions(optionsFor(model)), environment })
    told = new Told()
  })
  afterEach(() => agent.close())

  async function begin(words: string): Promise<Promise<RunResult>[]> {
    const running = agent.explore(words, { onEvent: told.onEvent })
    await model.asked()
    return [running]
  }

  test('checkpoint fires on activity', async () => {
    const [running] = await begin('do a long task')
    await model.say('The first part. ')
    expect(await told.parts(0)).toEqual([])
    environment.pass(250)
    expect(await told.parts(1)).toEqual(['The first part. '])
    await model.say('The second part. ')
    environment.pass(250)
    expect(await told.parts(2)).toEqual(['The first part. ', 'The second part. '])

    const { state, history } = await stored(agent.session.id)
    expect(history.map(({ type }) => type).filter((type) => type === 'answer.progressed')).toHaveLength(2)
    expect(state.turn?.request).toMatchObject({ status: 'asked', partial: 'The first part. The second part. ' })
    expect(wordsOf(state.messages)).toEqual(['do a long task'])

    await model.call('glob', { pattern: '*' })
    await model.asked()
    expect((await stored(agent.session.id)).history.map(({ type }) => type)).toContain('tool.finished')
    await model.end('Done.')
    expect(await running).toMatchObject({ response: 'Done.' })
  })

  test('checkpoint fires with four KiB of text, however little time has passed', async () => {
    const [running] = await begin('do a long task')
    const long = 'x'.repeat(4096)
    await model.say(long)
    expect(await told.parts(1)).toEqual([long])
    await model.end()
    await running
  })

  test('checkpoint does not fire without activity', async () => {
    const [running] = await begin('do a long task')
    const before = await stored(agent.session.id)
    const files = await sizesOf(workspace)
    expect(environment.pending).toBe(0)
    for (let minute = 0; minute < 10; minute += 1) environment.pass(60_000)
    expect(environment.pending).toBe(0)
    expect(await stored(agent.session.id)).toEqual(before)
    expect(await sizesOf(workspace)).toEqual(files)
    await model.end('Done.')
    await running
  })

  test('checkpoint stops on signal', async () => {
    const [running] = await begin('do a long task')
    await model.say('What was shown. ')
    expect(environment.pending).toBe(1)
    agent.cancel('enough')
    expect(await running).toMatchObject({ reason: 'interrupted', response: '' })
    expect(environment.pending).toBe(0)
    const after = await stored(agent.session.id)
    expect(wordsOf(after.state.messages)).toEqual(['do a long task', 'What was shown. '])
    environment.pass(60_000)
    expect(await stored(agent.session.id)).toEqual(after)
  })

  test('activity checkpoint persists updatedAt', async () => {
    const [running] = await begin('do a long task')
    const before = (await stored(agent.session.id)).state.updatedAt
    await model.say('Something. ')
    environment.pass(250)
    await told.parts(1)
    const { updatedAt } = (await stored(agent.session.id)).state
    expect(updatedAt > before).toBe(true)
    await model.end('Done.')
    await running
    const { id, state } = agent.session
    await agent.close()
    expect(await readJson(`${id}.json`)).toMatchObject({ updatedAt: state?.updatedAt })
  })
})

describe('a checkpoint that never began', () => {
  const early: readonly { readonly what: string; readonly stream: Backend['stream'] }[] = [
    {
      what: 'the request cannot be made',
      stream() {
        throw new Error('early failure')
      },
    },
    {
      what: 'the connection fails at once',
      stream: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('early failure')) }) }),
    },
    {
      what: 'nothing at all arrives',
      async *stream() {},
    },
  ]

  test.for(early)('stops on every path when $what', async ({ stream }) => {
    const environment = manualEnvironment()
    const model: Backend = { id: 'failing/model', stream }
    const limits = { maxAttempts: 1 }
    await using agent = new Agent({
      ...localOptions(optionsFor(model, { config: { ...config, limits } })),
      environment,
    })
    const { reason, timeline } = await agent.explore('do a long task')
    expect(reason).toBe('retry_budget_exhausted')
    expect(timeline).toEqual([])
    expect(environment.pending).toBe(0)
    expect(wordsOf((await stored(agent.session.id)).state.messages)).toEqual(['do a long task'])
  })

  test('leaves nothing behind when what comes before the request fails', async () => {
    const environment = manualEnvironment()
    const options = localOptions(optionsFor(new ScriptedBackend(line('Never said.'))))
    const fault = new Error('early failure')
    const workspaceThatFails = Object.assign(Object.create(options.workspace), { facts: () => Promise.reject(fault) })
    const agent = new Agent({ ...options, environment, workspace: workspaceThatFails })
    await expect(agent.run(task)).rejects.toBe(fault)
    expect(environment.pending).toBe(0)
    expect(agent.isRunning).toBe(false)
    await agent.close()
    const { state } = await stored(agent.session.id)
    expect(state).toMatchObject({ turn: null, lastTurn: { reason: 'interrupted' } })
    expect(wordsOf(state.messages)).toEqual([task])
  })
})

test('a pending message survives a restart, outside the messages, and so does its request', async () => {
  const first = agentWith(line('You are welcome.'))
  await first.run('thanks')
  const { id } = first.session
  await first.close()

  // The process ends while the hook looks at the words: no request was made.
  const hook: Hook = { name: 'slow', on: 'prompt_submitted', run: () => new Promise(() => {}) }
  const model = heldBackend()
  const second = localAgent(optionsFor(model, { hooks: [hook] }))
  await second.resumeSession(id)
  const told = new Told()
  void second.run('do a long research task', { onEvent: told.onEvent })
  await told.some('turn.started')
  expect((await stored(id)).state.turn).toMatchObject({ pending: { text: 'do a long research task' }, request: null })

  const third = localAgent(optionsFor(model))
  expect(await third.resumeSession(id, { takeover: true })).toBe(true)
  expect(third.session.state?.turn?.pending?.text).toBe('do a long research task')
  expect(wordsOf(third.messages)).toEqual(['thanks', 'You are welcome.'])

  // The next one ends while the model answers.
  const displaced = third.continue({ onEvent: told.onEvent })
  await model.asked()
  const { request } = third.session.state?.turn ?? {}
  await using fourth = agentWith()
  expect(await fourth.resumeSession(id, { takeover: true })).toBe(true)
  expect(fourth.session.state?.turn?.request).toMatchObject({ id: request?.id, status: 'asked' })
  expect(fourth.currentTask).toBe('do a long research task')
  third.cancel()
  await expect(displaced).rejects.toThrow('was taken over')
})

/** What a run has told. */
class Told {
  readonly #events: SessionEvent[] = []
  #wake = () => {}

  readonly onEvent = (event: AgentEvent): void => {
    if (!('seq' in event)) return
    this.#events.push(event)
    this.#wake()
  }

  /** The parts of answers that were stored, once there are so many. */
  async parts(count: number): Promise<string[]> {
    const found = () => this.#events.flatMap((event) => (event.type === 'answer.progressed' ? [event.text ?? ''] : []))
    await this.#until(() => found().length >= count)
    return found()
  }

  some(type: SessionEvent['type']): Promise<void> {
    return this.#until(() => this.#events.some((event) => event.type === type))
  }

  async #until(isThere: () => boolean): Promise<void> {
    while (!isThere()) await new Promise<void>((resolve) => (this.#wake = resolve))
  }
}

function wordsOf(messages: Iterable<Message>): string[] {
  return [...messages].map(({ content }) => textOf(content))
}

/** Every file of the sessions, with its size. */
async function sizesOf(place: TemporaryWorkspace): Promise<Record<string, number>> {
  const files = await place.files({ ignore: [] })
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text.length]))
}
