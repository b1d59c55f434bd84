import { LoaderError } from '@loader/session-core'
import type { Approver, Tool } from '@loader/session-core/coding'
import { call, line } from '@loader/test-harness'
import * as z from 'zod'
import { describe, expect, test } from 'vitest'
import type { Hook } from '../src/index.ts'
import { ownTool } from './scene/own-tool.ts'
import { stage, type StageOptions } from './scene/stage.ts'
import { eventsOf } from './scene/whole.ts'

const config = { permissionMode: 'allow' } as const
const words = 'Use the gadget of this project once.'
const script = [line('Now.', call('gadget')), line('You are welcome.')]
const fine = () => ({ outcome: 'ok', text: 'fine' }) as const

/** What someone without a compiler may write. */
const wrong = (value: unknown) => value as never

/** That the turn ends with this error, everything is in order, and the session takes the next task. */
async function expectToEndWith(options: StageOptions, error: RegExp, approver?: Approver) {
  await using set = await stage(script, { config, ...options })
  const failure = await set.agent.run(words, approver && { approver }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(LoaderError.is(failure, 'invalid_port')).toBe(true)
  expect(failure).toMatchObject({ message: expect.stringMatching(error) })
  expect(set.agent.session.state?.turn).toBeNull()
  const history = await set.expectWhole()
  expect(await set.agent.run('thanks')).toMatchObject({ reason: 'turn_complete' })
  await set.expectWhole()
  return history
}

describe('a tool whose examine returns what it must not', () => {
  const examining = (examination: unknown): Tool => ({
    ...ownTool('gadget', { run: fine }),
    examine: async () => wrong(examination),
  })

  test.for<readonly [string, unknown, RegExp]>([
    [
      'nothing',
      undefined,
      /^examine of the tool gadget returned nothing\. It must return \{ valid: false, message \}, or/,
    ],
    ['null', null, /returned null/],
    ['a word', 'yes', /returned a string/],
    ['no paths', { valid: true, input: {}, effect: 'probe', intent: [] }, /whose paths is wrong/],
    ['no intent', { valid: true, input: {}, effect: 'probe', paths: [] }, /whose intent is wrong/],
    [
      'paths that are strings',
      { valid: true, input: {}, effect: 'probe', paths: ['a'], intent: [] },
      /paths\.0 is wrong/,
    ],
    [
      'an effect that there is not',
      { valid: true, input: {}, effect: 'some', paths: [], intent: [] },
      /effect is wrong/,
    ],
    ['no reason', { valid: false }, /whose message is wrong/],
  ])('%s', async ([, examination, error]) => {
    const history = await expectToEndWith({ tools: [examining(examination)] }, error)
    expect(eventsOf(history, 'tool.started')).toEqual([])
  })
})

describe('a tool whose run returns what it must not', () => {
  test.for<readonly [string, unknown, RegExp]>([
    ['nothing', undefined, /^run of the tool gadget returned nothing\. It must return \{ outcome: 'ok'/],
    ['a text', 'done', /returned a string/],
    ['no text', { outcome: 'ok' }, /an object with outcome, whose text is wrong/],
    ['an outcome that it cannot know', { outcome: 'denied', text: '' }, /outcome is wrong/],
    ['todos that are words', { outcome: 'ok', text: '', todos: ['a'] }, /todos\.0 is wrong/],
  ])('%s', async ([, result, error]) => {
    const tool = ownTool('gadget', { effect: 'unknown', run: () => wrong(result) })
    const history = await expectToEndWith({ tools: [tool] }, error)
    // It ran, and what it did is not known.
    expect(eventsOf(history, 'tool.finished')).toMatchObject([
      { outcome: 'unknown', text: expect.stringMatching(error) },
    ])
  })

  test('leaves the results of its neighbours alone', async () => {
    const good = ownTool('good', { run: fine })
    const bad = ownTool('gadget', { run: () => wrong('done') })
    await using set = await stage([line('All.', call('good'), call('gadget'), call('good', { note: '2' }))], {
      tools: [good, bad],
      config,
    })
    await expect(set.agent.run(words)).rejects.toThrow(/run of the tool gadget returned a string/)
    const outcomes = eventsOf(await set.expectWhole(), 'tool.finished').map(({ outcome }) => outcome)
    expect(outcomes).toEqual(['ok', expect.not.stringMatching('ok'), 'ok'])
  })
})

test('a call whose tool returns an invalid observation has an unknown outcome, and the turn goes on', async () => {
  const intent = { path: '/nowhere/a.txt', before: null, after: 'a' }
  const tool = ownTool('gadget', {
    effect: 'write',
    intent,
    observe: async () => wrong([]),
    run: () => {
      throw new Error('boom')
    },
  })
  await using set = await stage(script, { tools: [tool], config })
  await set.agent.run(words)
  expect(eventsOf(await set.expectWhole(), 'tool.finished')).toMatchObject([
    { outcome: 'unknown', text: expect.stringContaining('observe of the tool gadget returned a list') },
  ])
})

test('a tool whose input models cannot be told about ends the turn', async () => {
  const tool = { ...ownTool('gadget', { run: fine }), input: wrong(z.object({ when: z.date() })) }
  await expectToEndWithoutScript([tool], /input of the tool gadget is: .*Use only what JSON can hold/)
})

async function expectToEndWithoutScript(tools: readonly Tool[], error: RegExp) {
  await using set = await stage([], { tools, config })
  await expect(set.agent.run(words)).rejects.toThrow(error)
  await set.expectWhole()
}

test.for<readonly [string, unknown, RegExp]>([
  [
    'nothing',
    undefined,
    /^decide of the approver returned nothing\. It must return \{ permit: 'allow' \| 'deny', scope/,
  ],
  ['a flag', true, /returned a boolean/],
  ['no scope', { permit: 'allow' }, /whose scope is wrong/],
])('an approver that answers with %s has not said yes', async ([, answer, error]) => {
  const tool = ownTool('gadget', { effect: 'write', run: fine })
  const asking = { tools: [tool], config: { permissionMode: 'prompt' } } as const
  const history = await expectToEndWith(asking, error, { decide: async () => wrong(answer) })
  expect(eventsOf(history, 'tool.started')).toEqual([])
})

test.for<readonly [string, unknown]>([
  ['a word', 'ok'],
  ['a flag', false],
  ['a field that there is not', { allow: true }],
])('a hook that returns %s ends the turn, and is told what to return', async ([, verdict]) => {
  const hook: Hook = { name: 'mine', on: 'pre_tool', run: () => wrong(verdict) }
  await using set = await stage(script, { tools: [ownTool('gadget', { run: fine })], hooks: [hook], config })
  expect(await set.agent.run(words)).toMatchObject({
    reason: 'stopped_by_hook',
    summary: expect.stringMatching(
      /^Hook mine .*not a verdict.*must return nothing, or \{ decision, permit, input, message \}/,
    ),
  })
  await set.expectWhole()
})

test.for<readonly [string, Partial<StageOptions>, RegExp]>([
  ['a tool without a name', { tools: [wrong({})] }, /^A tool has no name/],
  ['a tool without a description', { tools: [wrong({ name: 'gadget' })] }, /^The tool gadget has no description/],
  [
    'a tool whose input is JSON Schema',
    { tools: [{ ...ownTool('gadget', { run: fine }), input: wrong({ type: 'object' }) }] },
    /^The tool gadget has no input/,
  ],
  [
    'a tool that cannot run',
    { tools: [{ ...ownTool('gadget', { run: fine }), run: wrong(undefined) }] },
    /^The tool gadget has no function run/,
  ],
  [
    'a tool that cannot be examined',
    { tools: [{ ...ownTool('gadget', { run: fine }), examine: wrong(undefined) }] },
    /no function examine\. Add one that returns \{ valid/,
  ],
  ['a hook that cannot run', { hooks: [wrong({ name: 'mine', on: 'stop' })] }, /^The hook mine has no function run/],
  ['a backend without a stream', { backend: wrong({ id: 'my/model' }) }, /^The backend has no function stream/],
])('an agent is not made with %s', async ([, options, error]) => {
  await expect(stage([], options)).rejects.toThrow(error)
})

test.for<readonly [string, unknown, RegExp]>([
  [
    'nothing',
    undefined,
    /: stream of the backend my\/model returned nothing\. It must return an async iterable of events/,
  ],
  [
    'no events',
    async function* () {
      yield wrong('Hello')
    },
    /gave a string.* It must give events such as/,
  ],
  [
    'a delta without text',
    async function* () {
      yield { type: 'text' }
    },
    /gave an object with type, whose delta is wrong/,
  ],
  [
    'an end without an answer',
    async function* () {
      yield { type: 'done', finishReason: 'stop' }
    },
    /whose content is wrong/,
  ],
  [
    'an answer that is a text',
    async function* () {
      yield { type: 'done', content: 'Hi', finishReason: 'stop' }
    },
    /whose content is wrong/,
  ],
])('a backend that streams %s has failed, and is not asked again', async ([, answer, error]) => {
  let asked = 0
  const stream = () => {
    asked += 1
    return wrong(typeof answer === 'function' ? answer() : answer)
  }
  await using set = await stage([], { backend: { id: 'my/model', stream }, config })
  const result = await set.agent.run(words)
  expect(result).toMatchObject({ reason: 'model_failed', summary: expect.stringMatching(error) })
  expect(asked).toBe(1)
  expect(eventsOf(await set.expectWhole(), 'model.failed')).toMatchObject([{ error: { kind: 'invalid_port' } }])
})
