import type { ModelCapabilities } from '@loader/session-core'
import type { Approver, AskUser, WorkflowMode } from '@loader/session-core/coding'
import { call, type Completion, line, type ScriptLine } from '@loader/test-harness'
import { everyNth, fromCi, tier } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import type { Agent, AgentEvent, Hook, RunResult, TaskOptions } from '../src/index.ts'
import { Acknowledged } from './scene/acknowledged.ts'
import { quickEnvironment } from './scene/environment.ts'
import { ownTool, signalled } from './scene/own-tool.ts'
import { type Stage, stage, type StageOptions } from './scene/stage.ts'
import { eventsOf, faultsOf } from './scene/whole.ts'

const isThorough = tier === 'long'
/** How many of the events of a turn it is stopped at. */
const every = everyNth({ quick: 12, ci: 6, long: 1 })

const words = 'Write the answer of the user to answer.txt, and show that it is there.'
const approver: Approver = { decide: async () => ({ permit: 'allow', scope: 'once' }) }
const askUser: AskUser = async () => 'Only the word blue in answer.txt; leave every other file unchanged.'
const who: TaskOptions = { approver, askUser, doneWhen: [{ command: 'grep blue answer.txt' }] }
const hook: Hook = { name: 'looks on', on: 'post_tool', run: () => undefined }
const parts = Object.fromEntries([1, 2, 3, 4, 5, 6].map((number) => [`part-${number}.txt`, `${number} `.repeat(2_000)]))
const write = line('I write it.', call('write', { file_path: 'answer.txt', content: 'blue\n' }))
const ticked = line(
  'Mark it.',
  call('todo_write', { todos: [{ content: 'Write answer.txt', status: 'completed', active_form: 'Writing it' }] }),
)
const otherAnswers = {
  clarify: 'Which word?',
  brief: '## Acceptance Criteria\n- answer.txt says blue',
  plan: '## Execution Order\n- Write answer.txt\n<<<VERIFICATION>>>\n## Notes\n- none',
  summary: 'Scope: nothing to add.',
} as const

const done: Completion = { text: 'The word is in the file.', chunks: 'word' }
const failing = (kind: string): Completion => ({
  text: '',
  fault: { type: 'throw', kind, message: 'not now', retryAfterMs: 3_000 },
})

interface Story extends StageOptions {
  readonly answers: readonly Completion[]
  /** Comes once, instead of the answer with this number. */
  readonly fails?: { readonly at: number; readonly kind: string }
  readonly mode?: WorkflowMode
}

/** Looks at files, and checks in rooms, are stopped from CI on: before, what is stopped are the steps themselves. */
const trees = 'kept from CI on'

/** Turns in which every kind of step comes up. */
const stories: Readonly<Record<string, Story>> = {
  'with looks, a question, permits, a command, hooks, a wait and a check': {
    files: { 'notes.txt': 'some\n' },
    hooks: [hook],
    config: { permissionMode: 'prompt' },
    fails: { at: 1, kind: 'rate_limited' },
    answers: [
      {
        text: 'I look around first.',
        reasoning: 'What is there?',
        calls: [call('read', { file_path: 'notes.txt' }), call('glob', { pattern: '*' })],
        chunks: 'word',
      },
      line('I ask.', call('ask_user', { question: 'Which word?' })),
      write,
      line('And look.', call('bash', { command: 'cat answer.txt' })),
      done,
    ],
  },
  'that is clarified first': { mode: 'clarify', config: { limits: { clarifyRounds: 1 } }, answers: [write, done] },
  'that is planned first': { mode: 'plan', answers: [line(otherAnswers.plan), write, ticked, done] },
  'that has to be folded into less': {
    files: parts,
    fails: { at: 7, kind: 'context_too_long' },
    answers: [
      ...Object.keys(parts).map((file_path) => line(`Next ${file_path}.`, call('read', { file_path }))),
      write,
      done,
    ],
  },
}

const [whole] = Object.values(stories) as [Story]

/** The answers in their order, whatever happens in between, and an answer to thanks. */
function linesOf({ answers, fails }: Story): ScriptLine[] {
  let [given, failures] = [0, 0]
  const next: ScriptLine = ({ messages, purpose }) => {
    if (purpose !== 'answer') return line(otherAnswers[purpose])
    if (JSON.stringify(messages.findLast(({ origin }) => origin === 'input')).includes('"thanks"'))
      return line('You are welcome.')
    if (fails?.at === given + 1 && failures === 0) {
      failures += 1
      return failing(fails.kind)
    }
    given += 1
    return answers[given - 1] ?? done
  }
  return Array.from({ length: 40 }, () => next)
}

async function eventsOfWholeRun(story: Story): Promise<AgentEvent[]> {
  await using set = await stage(linesOf(story), { ...story, trees })
  const events: AgentEvent[] = []
  const result = await set.agent.run(words, { ...who, ...modeOf(story), onEvent: (event) => events.push(event) })
  expect(result).toMatchObject({ reason: 'turn_complete', verdict: fromCi ? 'verified' : 'unverified' })
  return events
}

const modeOf = ({ mode }: Story): TaskOptions => (mode === undefined ? {} : { mode })

type Stopper = (agent: Agent, abort: () => void) => void
const ways: Readonly<Record<string, Stopper>> = {
  'cancel()': (agent) => agent.cancel('enough'),
  'its signal': (_agent, abort) => abort(),
}

/** Runs, and stops at the event with this number. */
async function stoppedAt(set: Stage, { story, place, way }: Case, acknowledged: Acknowledged): Promise<RunResult> {
  const abort = new AbortController()
  let seen = -1
  const onEvent = (event: AgentEvent) => {
    acknowledged.onEvent(event)
    seen += 1
    if (seen === place) ways[way]?.(set.agent, () => abort.abort())
  }
  return set.agent.run(words, { ...who, ...modeOf(story), onEvent, signal: abort.signal })
}

interface Case {
  readonly name: string
  readonly story: Story
  readonly way: string
  readonly at: string
  readonly place: number
  /** The place of the end of the turn. */
  readonly end: number
}

async function casesOf([name, story]: readonly [string, Story]): Promise<Case[]> {
  const events = await eventsOfWholeRun(story)
  const end = events.findIndex(({ type }) => type === 'turn.finished')
  const isChosen = (place: number) => isThorough || place % (story === whole ? Math.ceil(every / 4) : every) === 0
  return events.slice(0, end).flatMap(({ type }, place) =>
    Object.keys(ways)
      .filter((_, index) => isThorough || (isChosen(place) && Math.floor(place / every) % 2 === index))
      .map((way) => ({ name, story, way, at: type, place, end })),
  )
}

const cases = (await Promise.all(Object.entries(stories).map(casesOf))).flat()

describe('a turn that is stopped by', () => {
  test.for(cases)('$way at $at (event $place of a turn $name) is settled and ends once', async (one) => {
    await using set = await stage(linesOf(one.story), { ...one.story, trees })
    const acknowledged = new Acknowledged()
    const result = await stoppedAt(set, one, acknowledged)
    const history = await set.expectWhole()
    expect(acknowledged.missingIn(history)).toEqual([])
    // What was decided before the stop was heard of stands. How often a check prints differs from run to run.
    if (result.reason === 'turn_complete') expect(one.place).toBeGreaterThan(one.end - 12)
    else {
      const summary = expect.stringMatching(/^Stopped by (user: enough|signal)$/)
      expect(result).toMatchObject({ reason: 'interrupted', summary })
    }
    expect(eventsOf(history, 'turn.finished')).toHaveLength(1)
    expect(eventsOf(history, 'stop.requested')).toHaveLength(result.reason === 'interrupted' ? 1 : 0)
    expect(JSON.stringify(set.agent.messages)).toContain(words)
    expect(set.agent.isRunning).toBe(false)
    expect(await set.agent.run('thanks', { approver })).toMatchObject({
      reason: 'turn_complete',
      response: 'You are welcome.',
    })
    await set.expectWhole()
  })
})

describe('a turn that is stopped', () => {
  test('before anything has happened keeps the words of the user', async () => {
    await using set = await stage(linesOf(whole), whole)
    const running = set.agent.run(words, who)
    expect(set.agent.isRunning).toBe(true)
    set.agent.cancel('never mind')
    expect(await running).toMatchObject({ reason: 'interrupted', summary: 'Stopped by user: never mind' })
    expect(set.agent.messages).toMatchObject([{ role: 'user', content: [{ text: words }] }])
    expect(set.backend.requests).toEqual([])
    await set.expectWhole()
  })

  test('by a signal that had gone off before it began does nothing', async () => {
    await using set = await stage(linesOf(whole), whole)
    expect(await set.agent.run(words, { signal: AbortSignal.abort() })).toMatchObject({ reason: 'interrupted' })
    expect(set.backend.requests).toEqual([])
    expect(await set.place.workspace.files()).toEqual(whole.files)
    await set.expectWhole()
  })

  test('keeps the text of the answer that was shown', async () => {
    const text = 'The first half was shown, the second never came.'
    const chunks = ['The first half', ' was shown,', ' the second never came.']
    await using set = await stage([{ text, chunks, fault: { type: 'stall', after: 2 } }, line('You are welcome.')])
    let shown = ''
    const onEvent = (event: AgentEvent) => {
      if (event.type !== 'delta.text') return
      shown += event.text
      if (shown.endsWith('shown,')) set.agent.cancel()
    }
    expect(await set.agent.run('Explain what this project does.', { onEvent })).toMatchObject({ reason: 'interrupted' })
    expect(set.agent.messages.at(-1)).toMatchObject({ interrupted: true, content: [{ text: shown }] })
    expect(shown).toBe('The first half was shown,')
    await set.expectWhole()
    expect(await set.agent.run('thanks')).toMatchObject({ reason: 'turn_complete' })
    await set.expectWhole()
  })

  test('twice ends once, for the first reason', async () => {
    await using set = await stage([{ text: 'x', fault: { type: 'stall', after: 0 } }])
    const onEvent = ({ type }: AgentEvent) => {
      if (type !== 'model.asked') return
      set.agent.cancel('first')
      set.agent.cancel('second')
    }
    expect(await set.agent.run(words, { onEvent })).toMatchObject({ summary: 'Stopped by user: first' })
    expect(eventsOf(await set.expectWhole(), 'stop.requested')).toHaveLength(1)
  })

  test('because the agent is closed is stored before it is closed', async () => {
    await using set = await stage([{ text: 'x', fault: { type: 'stall', after: 0 } }])
    const asked = signalled()
    const running = set.agent.run(words, { onEvent: ({ type }) => type === 'model.asked' && asked.reach() })
    await asked.reached
    await set.agent.close()
    const history = await set.place.history()
    expect(faultsOf({ history })).toEqual([])
    expect(await running).toMatchObject({ reason: 'interrupted', summary: 'Stopped by runtime: the agent was closed' })
    expect(eventsOf(history, 'turn.finished')).toHaveLength(1)
  })
})

interface Endless extends StageOptions {
  readonly lines?: readonly ScriptLine[]
  readonly who?: TaskOptions
  /** The outcome of the call, if there is one. */
  readonly ends?: string
}

/** Something that never ends by itself, and the way to know that it has begun. */
const endless: Readonly<Record<string, (begun: () => void) => Endless>> = {
  'a model that says nothing': (begun) => ({
    lines: [
      async () => {
        begun()
        return new Promise<Completion>(() => {})
      },
    ],
  }),
  'a model that does not say what it is': (begun) => ({
    backend: {
      id: 'own/model',
      describe: async () => {
        begun()
        return new Promise<ModelCapabilities>(() => {})
      },
      stream: () => {
        throw new Error('it must not be asked')
      },
    },
  }),
  'an approver who does not answer': (begun) => ({
    lines: [line('Now.', call('write', { file_path: 'a.txt', content: 'a' }))],
    config: { permissionMode: 'prompt' },
    who: {
      approver: {
        decide: async () => {
          begun()
          return new Promise(() => {})
        },
      },
    },
    ends: 'interrupted',
  }),
  'a user who does not answer': (begun) => ({
    lines: [line('Now.', call('ask_user', { question: 'Which one?' }))],
    who: {
      askUser: async () => {
        begun()
        return new Promise(() => {})
      },
    },
    ends: 'interrupted',
  }),
  'a hook that does not return': (begun) => ({
    lines: [line('Now.', call('read', { file_path: 'a.txt' }))],
    hooks: [
      {
        name: 'slow',
        on: 'pre_tool',
        run: async () => {
          begun()
          return new Promise(() => {})
        },
      },
    ],
    ends: 'interrupted',
  }),
  'a tool that does not look away': (begun) => ({
    lines: [line('Now.', call('gadget'))],
    tools: [
      {
        ...ownTool('gadget', { run: () => ({ outcome: 'ok', text: '' }) }),
        examine: async () => {
          begun()
          return new Promise(() => {})
        },
      },
    ],
    ends: 'interrupted',
  }),
  'a long wait': (begun) => ({
    lines: [{ text: '', fault: { type: 'throw', kind: 'overloaded', message: 'busy', retryAfterMs: 300_000 } }],
    environment: {
      ...quickEnvironment(),
      after: () => {
        begun()
        return () => {}
      },
    },
  }),
}

describe('a turn that is stopped during', () => {
  test.for(Object.entries(endless))('%s ends at once', async ([, make]) => {
    const begun = signalled()
    const { lines = [], who: people = {}, ends, ...options } = make(begun.reach)
    await using set = await stage(lines, options)
    const running = set.agent.run(words, people)
    await begun.reached
    set.agent.cancel()
    expect(await running).toMatchObject({ reason: 'interrupted' })
    const history = await set.expectWhole()
    expect(eventsOf(history, 'tool.finished').map(({ outcome }) => outcome)).toEqual(ends === undefined ? [] : [ends])
    expect(eventsOf(history, 'question.answered').every(({ outcome }) => outcome === 'unanswered')).toBe(true)
  })

  test('a command and a check ends both', async () => {
    const lines = [
      line('Now.', call('write', { file_path: 'a.txt', content: 'a' })),
      line('Done.'),
      line('Again.', call('bash', { command: 'echo begun; sleep 60' })),
    ]
    await using set = await stage(lines, { trees: 'kept' })
    const stopAt = (type: AgentEvent['type']) => (event: AgentEvent) => event.type === type && set.agent.cancel()
    const check = [{ command: 'echo begun; sleep 60' }]
    expect(await set.agent.run(words, { doneWhen: check, onEvent: stopAt('delta.check') })).toMatchObject({
      reason: 'interrupted',
      verdict: 'unverified',
    })
    await set.expectWhole()
    expect(await set.agent.run('Do it again.', { onEvent: stopAt('delta.output') })).toMatchObject({
      reason: 'interrupted',
    })
    const history = await set.expectWhole()
    expect(eventsOf(history, 'check.finished').map(({ evidence }) => evidence.outcome)).toEqual(['interrupted'])
    expect(eventsOf(history, 'tool.finished').map(({ outcome }) => outcome)).toEqual(['ok', 'interrupted'])
  })
})
