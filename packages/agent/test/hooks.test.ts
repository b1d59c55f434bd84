import type { JsonValue, Signal } from '@loader/session-core'
import type { HookRun } from '@loader/session-core/coding'
import { call, type Completion, line, type ScriptLine } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import type { AgentConfig, Hook, HookOccasion, HookVerdict } from '../src/index.ts'
import { HooksApart } from '../src/stage/hooks-apart.ts'
import { ownTool } from './scene/own-tool.ts'
import { stage as stageOf, type StageOptions } from './scene/stage.ts'
import { eventsOf } from './scene/whole.ts'

const words = 'Create hello.txt in the workspace root.'
const write = (content = 'hello\n') => call('write', { file_path: 'hello.txt', content })

const stage = (lines: readonly ScriptLine[], hooks: readonly Hook[], options: StageOptions = {}) =>
  stageOf(lines, { ...options, hooks })

/** A hook that gives these verdicts one after the other, the last one from then on, and keeps what it was told. */
function hook(
  on: Hook['on'],
  ...verdicts: readonly (HookVerdict | (() => never))[]
): Hook & { readonly told: HookOccasion[] } {
  const told: HookOccasion[] = []
  return {
    name: `${on} of the test`,
    on,
    told,
    run(occasion) {
      told.push(occasion)
      const verdict = verdicts[Math.min(told.length, verdicts.length) - 1]
      return typeof verdict === 'function' ? verdict() : verdict
    },
  }
}

const boom = (): never => {
  throw new Error('boom')
}

describe('before a call', () => {
  test('a hook sees it, and lets it run', async () => {
    const looks = hook('pre_tool')
    await using set = await stage([line('Now.', write()), line('Done.')], [looks])
    expect(await set.agent.run(words)).toMatchObject({ reason: 'turn_complete' })
    expect(looks.told).toMatchObject([{ on: 'pre_tool', call: { name: 'write', input: { file_path: 'hello.txt' } } }])
    expect(eventsOf(await set.expectWhole(), 'hook.finished')).toMatchObject([
      { hook: 'pre_tool of the test', on: 'pre_tool', decision: 'continue' },
    ])
  })

  test('a hook that denies keeps it from running, and the model reads why', async () => {
    const no = hook('pre_tool', { decision: 'deny', message: 'not on Fridays' })
    await using set = await stage([line('Now.', write()), line('I could not write it.')], [no], {
      config: { completionCheck: false },
    })
    await set.agent.run(words)
    const history = await set.expectWhole()
    expect(eventsOf(history, 'permission.decided')).toMatchObject([{ permit: 'deny', by: 'hook' }])
    expect(eventsOf(history, 'tool.finished')).toMatchObject([
      { outcome: 'denied', text: expect.stringContaining('not on Fridays') },
    ])
    expect(JSON.stringify(set.backend.requests.at(-1)?.messages)).toContain('not on Fridays')
    expect(await set.place.workspace.files()).toEqual({})
  })

  test.for(['cancel', 'fail'] as const)(
    'a hook that says %s ends the turn before any call has run',
    async (decision) => {
      const stop = hook('pre_tool', { decision, message: 'hands off' })
      await using set = await stage([line('Now.', write(), call('bash', { command: 'touch b' })), line('Hi.')], [stop])
      expect(await set.agent.run(words)).toMatchObject({
        reason: 'stopped_by_hook',
        summary: 'Hook pre_tool of the test ended the turn: hands off',
      })
      const history = await set.expectWhole()
      expect(eventsOf(history, 'tool.started')).toEqual([])
      expect(eventsOf(history, 'tool.finished').map(({ outcome }) => outcome)).toEqual(['interrupted', 'interrupted'])
      expect(await set.place.workspace.files()).toEqual({})
      expect(set.backend.requests).toHaveLength(1)
      expect(await set.agent.run('thanks')).toMatchObject({ reason: 'turn_complete' })
      await set.expectWhole()
    },
  )

  test.for<readonly [string, HookVerdict | (() => never)]>([
    ['throws', boom],
    ['says what nobody understands', { decision: 'maybe' } as unknown as HookVerdict],
    ['says what cannot be stored', { input: { when: new Date(0) } as unknown as JsonValue }],
  ])('a hook that %s has not said yes', async ([, verdict]) => {
    await using set = await stage([line('Now.', write())], [hook('pre_tool', verdict)])
    expect(await set.agent.run(words)).toMatchObject({ reason: 'stopped_by_hook' })
    expect(eventsOf(await set.expectWhole(), 'hook.finished')).toMatchObject([{ decision: 'fail' }])
    expect(await set.place.workspace.files()).toEqual({})
  })

  test('a hook may change what is asked for, and the next one sees that', async () => {
    const changes = hook('pre_tool', { input: { file_path: 'hello.txt', content: 'changed\n' } })
    const sees = hook('pre_tool')
    await using set = await stage([line('Now.', write()), line('Done.')], [changes, sees])
    await set.agent.run(words)
    expect(await set.place.workspace.files()).toEqual({ 'hello.txt': 'changed\n' })
    expect(sees.told).toMatchObject([{ call: { input: { content: 'changed\n' } } }])
    expect(eventsOf(await set.expectWhole(), 'hook.finished')[0]).toMatchObject({ input: { content: 'changed\n' } })
  })

  test('what a hook has changed is permitted as it is then, not as it was', async () => {
    const changes = hook('pre_tool', { input: { file_path: '../outside.txt', content: 'out\n' } })
    await using set = await stage([line('Now.', write()), line('I could not.')], [changes], {
      config: { completionCheck: false },
    })
    await set.agent.run(words)
    expect(eventsOf(await set.expectWhole(), 'tool.finished')).toMatchObject([{ outcome: 'denied' }])
  })

  const permits: readonly (readonly [HookVerdict['permit'], AgentConfig['permissionMode'], string])[] = [
    ['allow', 'read-only', 'ok'],
    ['deny', 'allow', 'denied'],
    ['ask', 'allow', 'denied'],
  ]
  test.for(permits)('a hook that says %s overrides the mode %s', async ([permit, permissionMode, outcome]) => {
    const config = { permissionMode, completionCheck: false } as const
    await using set = await stage([line('Now.', write()), line('That was it.')], [hook('pre_tool', { permit })], {
      config,
    })
    await set.agent.run(words)
    expect(eventsOf(await set.expectWhole(), 'tool.finished')).toMatchObject([{ outcome }])
  })
})

describe('after a call', () => {
  const fails = ownTool('gadget', { run: () => ({ outcome: 'failed', text: 'no luck' }) })

  test('that went well post_tool runs, and after one that failed tool_failure', async () => {
    const [post, failure] = [hook('post_tool'), hook('tool_failure')]
    await using set = await stage(
      [line('Now.', call('glob', { pattern: '*' }), call('gadget')), line('Seen.')],
      [post, failure],
      {
        tools: [fails],
      },
    )
    await set.agent.run('Explain what this project does.')
    expect(post.told).toMatchObject([{ on: 'post_tool', call: { name: 'glob', outcome: 'ok' } }])
    expect(failure.told).toMatchObject([{ on: 'tool_failure', call: { name: 'gadget', outcome: 'failed' } }])
    expect(eventsOf(await set.expectWhole(), 'hook.finished').map(({ on }) => on)).toEqual([
      'post_tool',
      'tool_failure',
    ])
  })

  test('a hook may end the turn, and what had not run yet does not', async () => {
    await using set = await stage(
      [line('Now.', write(), call('bash', { command: 'touch b' }))],
      [hook('post_tool', { decision: 'cancel', message: 'enough' })],
    )
    expect(await set.agent.run(words)).toMatchObject({ reason: 'stopped_by_hook', verdict: 'unverified' })
    expect(eventsOf(await set.expectWhole(), 'tool.finished').map(({ outcome }) => outcome)).toEqual([
      'ok',
      'interrupted',
    ])
    expect(await set.place.workspace.files()).toEqual({ 'hello.txt': 'hello\n' })
  })

  test('what a hook says about permissions and arguments is of no use any more', async () => {
    const late = hook('post_tool', { permit: 'deny', input: { file_path: 'x' } })
    await using set = await stage([line('Now.', write()), line('Done.')], [late])
    expect(await set.agent.run(words)).toMatchObject({ reason: 'turn_complete' })
    expect(eventsOf(await set.expectWhole(), 'hook.finished')[0]).not.toHaveProperty('input')
  })
})

describe('when words were submitted', () => {
  test.for(['deny', 'cancel', 'fail'] as const)(
    'a hook that says %s ends the turn before the model is asked',
    async (decision) => {
      await using set = await stage([], [hook('prompt_submitted', { decision, message: 'no secrets, please' })])
      const result = await set.agent.run(words)
      expect(result).toMatchObject({
        reason: 'stopped_by_hook',
        summary: expect.stringContaining('no secrets, please'),
      })
      expect(set.backend.requests).toEqual([])
      expect(set.agent.messages).toMatchObject([{ content: [{ text: words }] }])
      await set.expectWhole()
    },
  )

  test('it runs once for each turn', async () => {
    const looks = hook('prompt_submitted')
    await using set = await stage([line('Hi.'), line('Hi again.')], [looks])
    await set.agent.run('hello')
    await set.agent.run('hello')
    expect(looks.told).toHaveLength(2)
  })
})

describe('before a turn ends', () => {
  const answer = line('Done.')
  const tasks = [
    ['work', words, [line('Now.', write())]],
    ['talk', 'hello', []],
  ] as const

  test.for(tasks)('a hook sends the model back to its %s, which reads why', async ([, task, before]) => {
    const wants = hook('stop', { decision: 'deny', message: 'greet me first' }, {})
    await using set = await stage([...before, answer, line('Hello! Done.')], [wants])
    const result = await set.agent.run(task)
    expect(result).toMatchObject({ reason: 'turn_complete', response: 'Hello! Done.' })
    expect(wants.told).toHaveLength(2)
    expect(set.backend.requests.at(-1)?.messages.at(-1)).toMatchObject({
      role: 'user',
      content: [{ text: expect.stringContaining('greet me first') }],
    })
    await set.expectWhole()
  })

  test.for(tasks)(
    'a hook that always refuses the end of %s is heard as often as the budget says',
    async ([, task, before]) => {
      const never = hook('stop', { decision: 'deny' })
      const config = { limits: { maxNudges: 3 } }
      const more = ['One.', 'Two.', 'Three.', 'Four.'].map((text) => line(text))
      await using set = await stage([...before, ...more], [never], { config })
      expect(await set.agent.run(task)).toMatchObject({ response: 'Four.' })
      set.backend.assertDone()
      expect(never.told).toHaveLength(4)
      await set.expectWhole()
    },
  )

  test.for(tasks)('a hook that throws ends the turn, which was %s', async ([, task, before]) => {
    await using set = await stage([...before, answer], [hook('stop', boom)])
    expect(await set.agent.run(task)).toMatchObject({
      reason: 'stopped_by_hook',
      summary: expect.stringContaining('boom'),
    })
    await set.expectWhole()
  })
})

describe('before a compaction', () => {
  const files = Object.fromEntries(
    [1, 2, 3, 4, 5, 6].map((number) => [`part-${number}.txt`, `${number} `.repeat(2_000)]),
  )
  const reads = Object.keys(files).map((file_path) => line(`Next ${file_path}.`, call('read', { file_path })))
  const tooLong: Completion = { text: '', fault: { type: 'throw', kind: 'context_too_long', message: 'too long' } }
  const task = 'Explain what the files part-1.txt to part-6.txt hold.'

  test('a hook sees it, and lets it happen', async () => {
    const looks = hook('pre_compact')
    await using set = await stage([...reads, tooLong, line('All read.')], [looks], { files })
    expect(await set.agent.run(task)).toMatchObject({ reason: 'turn_complete' })
    expect(looks.told).toHaveLength(1)
    expect(eventsOf(await set.expectWhole(), 'context.compacted')).toHaveLength(1)
  })

  test('a hook that denies leaves the conversation as it is, and what is too long for the model ends the turn', async () => {
    await using set = await stage(
      [...reads, tooLong],
      [hook('pre_compact', { decision: 'deny', message: 'I need it all' })],
      { files },
    )
    expect(await set.agent.run(task)).toMatchObject({
      reason: 'context_exhausted',
      summary: expect.stringContaining('I need it all'),
    })
    expect(eventsOf(await set.expectWhole(), 'context.compacted')).toEqual([])
  })

  test('a request that is merely large is made in spite of such a hook', async () => {
    const config = { contextWindow: 20_000, limits: { compactAtTokens: 5_000 } }
    const refuses = hook('pre_compact', { decision: 'deny' })
    await using set = await stage([...reads, line('All read.')], [refuses], { files, config })
    expect(await set.agent.run(task)).toMatchObject({ reason: 'turn_complete', response: 'All read.' })
    expect(refuses.told.length).toBeGreaterThan(0)
    expect(eventsOf(await set.expectWhole(), 'context.compacted')).toEqual([])
  })

  test('a hook that throws ends the turn', async () => {
    await using set = await stage([...reads, tooLong], [hook('pre_compact', boom)], { files })
    expect(await set.agent.run(task)).toMatchObject({ reason: 'stopped_by_hook' })
    await set.expectWhole()
  })

  test('a hook refuses the user as well', async () => {
    await using set = await stage(
      [...reads, line('All read.')],
      [hook('pre_compact', { decision: 'deny', message: 'later' })],
      { files },
    )
    await set.agent.run(task)
    expect(await set.agent.compact()).toMatchObject({
      reason: 'compaction_failed',
      summary: expect.stringContaining('later'),
    })
    await set.expectWhole()
  })
})

describe('hooks of one moment', () => {
  test('run in their order, until one of them has something against it', async () => {
    const order: string[] = []
    const named = (name: string, verdict: HookVerdict = {}): Hook => ({
      name,
      on: 'pre_tool',
      run: () => {
        order.push(name)
        return verdict
      },
    })
    const hooks = [named('first'), named('second', { decision: 'deny' }), named('third')]
    await using set = await stage([line('Now.', write()), line('I could not.')], hooks, {
      config: { completionCheck: false },
    })
    await set.agent.run(words)
    expect(order).toEqual(['first', 'second'])
    expect(
      eventsOf(await set.expectWhole(), 'hook.finished').map(({ hook: name, decision }) => [name, decision]),
    ).toEqual([
      ['first', 'continue'],
      ['second', 'deny'],
    ])
  })

  test('all run again when the process has ended among them', async () => {
    const order: string[] = []
    const named = (name: string, run: Hook['run']): Hook => ({
      name,
      on: 'pre_tool',
      run: (occasion) => {
        order.push(name)
        return run(occasion)
      },
    })
    let reached = () => {}
    const hanging = new Promise<void>((resolve) => (reached = resolve))
    const second = named('second', () => {
      reached()
      return new Promise(() => {})
    })
    const first = named('first', () => undefined)
    await using set = await stage([line('Now.', write()), line('Done.')], [first, second])
    const cut = set.agent.run(words).catch(() => undefined)
    await hanging
    const agent = set.place.again({ hooks: [first, named('second', () => undefined)] })
    await agent.resumeSession(set.agent.session.id, { takeover: true })
    expect(await agent.continue()).toMatchObject({ reason: 'turn_complete' })
    expect(order).toEqual(['first', 'second', 'first', 'second'])
    set.agent.cancel()
    await cut
  })
})

test('of hooks that nobody waits for, 16 go on at the same time, and all end when they are told to', async () => {
  const hooks = new HooksApart()
  const runs = { command: 'watch', source: 's', origin: 'user', given: 'sha256:0', reach: 'work' } as const
  const run = (signal: Signal) =>
    new Promise<{ ran: HookRun }>((resolve) =>
      signal.addEventListener('abort', () => resolve({ ran: { ...runs, ended: 'cancelled', durationMs: 1 } })),
    )
  for (let index = 1; index <= 17; index += 1) hooks.begin(`hook_${index}`, 'watch', { runs, run })
  await hooks.close()
  const ended = hooks.take().map(({ id, ran }) => [id, ran.ended])
  expect(ended.filter(([, how]) => how === 'cancelled')).toHaveLength(16)
  expect(ended.filter(([, how]) => how !== 'cancelled')).toEqual([['hook_17', 'not_started']])
  expect(hooks.take()).toEqual([])
})
