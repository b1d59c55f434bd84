import { type Backend, LoaderError, type Message, type ModelFailure, type History, textOf } from '@loader/session-core'
import { call, type Completion, line, ScriptedBackend, type ScriptLine } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { expectReadByOlderVersion } from './done/older-reader.ts'
import { type QuickEnvironment, quickEnvironment } from './scene/environment.ts'
import { scene } from './scene/scene.ts'
import { stage } from './scene/stage.ts'
import { eventsOf, faultsOf } from './scene/whole.ts'

const words = 'Create hello.txt in the workspace root.'
const write = call('write', { file_path: 'hello.txt', content: 'hello\n' })
const sentence = 'I will now write the file that you have asked for.'

/** All that the model has said, as far as the conversation knows. */
function spoken(messages: readonly Message[]): string[] {
  return messages.filter(({ role }) => role === 'assistant').map(({ content }) => textOf(content))
}

describe('an answer that is cut off', () => {
  const chunks = sentence.split(/(?= )/).length

  test.for(Array.from({ length: chunks + 1 }, (_, after) => after))(
    `after %i of ${chunks} chunks is asked for again, and what came of it is said once`,
    async (after) => {
      const cut: Completion = { text: sentence, calls: [write], chunks: 'word', fault: { type: 'cut', after } }
      await using set = await stage([cut, { text: sentence, calls: [write] }, line('Done.')])
      const result = await set.agent.run(words)
      expect(result).toMatchObject({ reason: 'turn_complete', response: 'Done.' })
      expect(spoken(set.agent.messages)).toEqual([sentence, 'Done.'])
      const history = await set.expectWhole()
      expect(eventsOf(history, 'model.failed')).toMatchObject([{ error: { kind: 'interrupted' } }])
      expect(shownOf(history)).toBe(sentence.split(/(?= )/).slice(0, after).join(''))
      expect(await set.place.workspace.files()).toEqual({ 'hello.txt': 'hello\n' })
    },
  )

  test('every time ends the turn, and keeps what was shown last', async () => {
    const cut = (text: string): Completion => ({
      text: `${text} and so on`,
      chunks: [text, ' and so on'],
      fault: { type: 'cut', after: 1 },
    })
    const lines = ['one', 'two', 'three', 'four', 'five'].map(cut)
    await using set = await stage([...lines, line('You are welcome.')])
    const result = await set.agent.run(words)
    expect(result.reason).toBe('retry_budget_exhausted')
    expect(set.agent.messages).toMatchObject([
      { role: 'user', content: [{ text: words }] },
      { role: 'assistant', interrupted: true, content: [{ text: 'five' }] },
    ])
    await set.expectWhole()
    expect(await set.agent.run('thanks')).toMatchObject({ reason: 'turn_complete' })
    await set.expectWhole()
  })

  test('by a backend that says so itself keeps what arrived a moment before', async () => {
    const lines: ScriptLine[] = [{ text: 'Half a sen', finishReason: 'interrupted' }]
    await using set = await stage([...lines, ...Array.from({ length: 4 }, () => lines[0] as ScriptLine)])
    const result = await set.agent.run(words)
    expect(result.reason).toBe('retry_budget_exhausted')
    expect(spoken(set.agent.messages)).toEqual(['Half a sen'])
    await set.expectWhole()
  })
})

/** What was written of answers while they arrived. */
function shownOf(history: History): string {
  return eventsOf(history, 'answer.progressed')
    .map(({ text = '' }) => text)
    .join('')
}

describe('an error of the provider', () => {
  const secretOfProvider = 'upstream says: account 4711 is over its quota'
  const failing = (fault: Omit<ModelFailure, 'message'>): Completion => ({
    text: 'Partly said',
    chunks: 'word',
    fault: { type: 'throw', message: secretOfProvider, after: 1, ...fault },
  })

  test.for([
    { kind: 'rate_limited', status: 429, retryAfterMs: 7_000, waits: [7_000, 7_000] },
    { kind: 'overloaded', status: 529 },
    { kind: 'connection' },
    { kind: 'interrupted' },
    { kind: 'other', status: 500 },
  ])('that passes ($kind) is waited for and tried again', async ({ waits, ...fault }) => {
    await using set = await stage([failing(fault), failing(fault), line('Here it is.', write), line('Done.')])
    const result = await set.agent.run(words)
    expect(result).toMatchObject({ reason: 'turn_complete', response: 'Done.' })
    const history = await set.expectWhole()
    const failed = eventsOf(history, 'model.failed')
    expect(failed.map(({ error }) => error)).toEqual(
      [fault, fault].map((each) => ({ ...each, message: secretOfProvider })),
    )
    const asked = eventsOf(history, 'wait.started').map(({ ms }) => ms)
    if (waits !== undefined) expect(asked).toEqual(waits)
    else {
      expect(asked[0]).toBeGreaterThanOrEqual(400)
      expect(asked[1]).toBeGreaterThan(asked[0] as number)
    }
    expect(eventsOf(history, 'wait.finished').map(({ outcome }) => outcome)).toEqual(['elapsed', 'elapsed'])
    expect(JSON.stringify([set.agent.messages, set.backend.requests])).not.toContain('4711')
    expect(spoken(set.agent.messages)).toEqual(['Here it is.', 'Done.'])
  })

  test.for(['auth', 'bad_request'])('that does not pass (%s) ends the turn at once', async (kind) => {
    await using set = await stage([failing({ kind }), line('You are welcome.')])
    const result = await set.agent.run(words)
    expect(result).toMatchObject({ reason: 'model_failed', summary: expect.stringContaining('4711') })
    expect(eventsOf(await set.place.history(), 'wait.started')).toEqual([])
    expect(result.response).not.toContain('4711')
    expect(set.agent.messages).toMatchObject([
      { role: 'user', content: [{ text: words }] },
      { role: 'assistant', interrupted: true, content: [{ text: 'Partly' }] },
    ])
    await set.expectWhole()
    expect(await set.agent.run('thanks')).toMatchObject({ reason: 'turn_complete', response: 'You are welcome.' })
    await set.expectWhole()
    expect(JSON.stringify(set.backend.requests)).not.toContain('4711')
  })
})

describe('a request that is too long', () => {
  const files = Object.fromEntries(
    [1, 2, 3, 4, 5, 6].map((number) => [`part-${number}.txt`, `${number} `.repeat(2_000)]),
  )
  const tooLong: Completion = {
    text: '',
    fault: { type: 'throw', kind: 'context_too_long', message: 'prompt is too long' },
  }
  const reads = Object.keys(files).map((file_path) => line(`Next ${file_path}.`, call('read', { file_path })))

  test('is folded into less, and asked again at once', async () => {
    await using set = await stage([...reads, tooLong, line('All read.')], { files })
    const result = await set.agent.run('Explain what the files part-1.txt to part-6.txt hold.')
    expect(result).toMatchObject({ reason: 'turn_complete', response: 'All read.' })
    const history = await set.expectWhole()
    expect(eventsOf(history, 'context.compacted')).toMatchObject([{ why: 'overflow' }])
    expect(eventsOf(history, 'wait.started')).toEqual([])
    expect(eventsOf(history, 'model.asked').at(-1)).toMatchObject({ attempt: 2 })
    const [before, after] = set.backend.requests.slice(-2).map(({ messages }) => JSON.stringify(messages).length)
    expect(after).toBeLessThan((before as number) / 2)
  })

  test('that cannot be made shorter ends the turn, and says so', async () => {
    await using set = await stage([tooLong, tooLong, tooLong, line('You are welcome.')])
    const result = await set.agent.run(words)
    expect(result).toMatchObject({ reason: 'context_exhausted', summary: expect.stringContaining('does not fit') })
    await set.expectWhole()
  })
})

describe('a wait', () => {
  test.for([
    { clock: 'goes on', seconds: 10, least: 15_000, most: 20_500 },
    // Of another machine, or of this one before it was set.
    { clock: 'is a day behind', seconds: -86_400, least: 29_000, most: 30_000 },
    { clock: 'is a day ahead', seconds: 86_400, least: 0, most: 0 },
  ])(
    'goes on where it was when the process has ended in it, and the clock $clock',
    async ({ seconds, least, most }) => {
      const limited: Completion = {
        text: '',
        fault: { type: 'throw', kind: 'rate_limited', message: 'slow down', retryAfterMs: 30_000 },
      }
      const clock = frozenEnvironment()
      await using set = await stage([limited, line('Here it is.', write), line('Done.')], { environment: clock })
      const waiting = new Promise<void>((resolve) => {
        void set.agent
          .run(words, { onEvent: ({ type }) => type === 'wait.started' && resolve() })
          .catch(() => resolve())
      })
      await waiting
      const later = quickEnvironment()
      const agent = set.place.again({
        environment: { ...later, now: () => new Date(Date.parse(later.now()) + seconds * 1_000).toISOString() },
      })
      expect(await agent.resumeSession(set.agent.session.id, { takeover: true })).toBe(true)
      expect(await agent.continue()).toMatchObject({ reason: 'turn_complete', response: 'Done.' })
      const [left = 0] = later.delays.filter((delay) => delay > 1_000)
      expect(left).toBeGreaterThanOrEqual(least)
      expect(left).toBeLessThanOrEqual(most)
      expect(faultsOf({ history: await set.place.history(), requests: set.backend.requests })).toEqual([])
    },
  )
})

test('a process that ends after another model took over goes on with that one, and the next turn with the first', async () => {
  const limited: Completion = {
    text: '',
    fault: { type: 'throw', kind: 'overloaded', message: 'busy', retryAfterMs: 40_000 },
  }
  const first = new ScriptedBackend(limited, line('You are welcome.'))
  // Both are put off; the second one is what the process waits for when it ends.
  const other = new ScriptedBackend(
    { ...limited, fault: { ...limited.fault, retryAfterMs: 50_000 } } as Completion,
    line('Here it is.', write),
    line('Done.'),
  )
  const fallback: Backend = { id: 'other/model', stream: (...asked) => other.stream(...asked) }
  await using set = await stage([], { backend: first, fallback, environment: frozenEnvironment() })
  const waiting = new Promise<void>((resolve) => {
    void set.agent.run(words, { onEvent: ({ type }) => type === 'wait.started' && resolve() }).catch(() => resolve())
  })
  await waiting
  const agent = set.place.again({ environment: quickEnvironment() })
  expect(await agent.resumeSession(set.agent.session.id, { takeover: true })).toBe(true)
  expect(await agent.continue()).toMatchObject({ reason: 'turn_complete', response: 'Done.' })
  expect(await agent.run('thanks')).toMatchObject({ response: 'You are welcome.' })
  const history = await set.place.history()
  const models = eventsOf(history, 'model.asked').map(({ model }) => model)
  expect(models).toEqual(['scripted/model', 'other/model', 'other/model', 'other/model', 'scripted/model'])
  expect(eventsOf(history, 'workflow.decided').filter(({ model }) => model !== undefined)).toHaveLength(1)
  expectReadByOlderVersion(history)
  expect(faultsOf({ history, requests: [...first.requests, ...other.requests] })).toEqual([])
})

describe('an unknown backend', () => {
  const done = { type: 'done', content: [{ type: 'text', text: 'All is well.' }], finishReason: 'stop' } as const
  const backends: Readonly<Record<string, () => Backend['stream']>> = {
    'hangs after its end': () =>
      async function* () {
        yield done
        await new Promise(() => {})
      },
    'breaks after its end': () =>
      async function* () {
        yield done
        throw new Error('connection reset')
      },
    'ends twice': () =>
      async function* () {
        yield done
        yield { ...done, content: [{ type: 'text', text: 'Once more.' }] }
      },
    'throws before there is a stream, and then does better': () => {
      let requests = 0
      return () => {
        requests += 1
        if (requests === 1) throw new TypeError('fetch failed')
        return (async function* () {
          yield done
        })()
      }
    },
    'rejects with something that is no error, and then does better': () => {
      let requests = 0
      return async function* () {
        requests += 1
        if (requests === 1) throw 'no words' // oxlint-disable-line no-throw-literal
        yield done
      }
    },
  }

  test.for(Object.entries(backends))('that %s still answers once', async ([, stream]) => {
    const backend = { id: 'own/model', stream: stream() }
    await using place = await scene({ backend, environment: quickEnvironment() })
    const result = await place.agent.run('Explain what this project does.')
    expect(result).toMatchObject({ reason: 'turn_complete', response: 'All is well.' })
    expect(faultsOf({ history: await place.history(), state: place.agent.session.state })).toEqual([])
  })

  test('whose settings are wrong is not asked again', async () => {
    const backend: Backend = {
      id: 'own/model',
      stream: () => {
        throw new LoaderError('unsupported', 'The library of that provider is not installed.')
      },
    }
    await using place = await scene({ backend, environment: quickEnvironment() })
    const result = await place.agent.run(words)
    expect(result).toMatchObject({ reason: 'model_failed', summary: expect.stringContaining('not installed') })
    expect(eventsOf(await place.history(), 'model.asked')).toHaveLength(1)
  })

  test('that cannot say what it is stays what it was', async () => {
    const capabilities = { model: 'own/model', nativeTools: false } as const
    let isUp = true
    const describe = async () => {
      if (isUp) return capabilities
      throw new Error('connection refused')
    }
    const script = new ScriptedBackend(line('Hello.'), line('Hello again.'))
    const backend: Backend = { id: 'own/model', stream: (...given) => script.stream(...given), describe }
    await using place = await scene({ backend })
    await place.agent.run('hello')
    isUp = false
    await place.agent.run('hello')
    expect(place.agent.session.state?.policy?.model).toEqual(capabilities)
  })
})

/** A clock that stands still for whoever waits for more than a moment. */
function frozenEnvironment(): QuickEnvironment {
  const environment = quickEnvironment()
  return { ...environment, after: (ms, work) => (ms > 1_000 ? () => {} : environment.after(ms, work)) }
}
