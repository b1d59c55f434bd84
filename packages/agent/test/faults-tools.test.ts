import { createHash } from 'node:crypto'
import { LoaderError } from '@loader/session-core'
import type { Tool } from '@loader/session-core/coding'
import { call, line } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { ownTool, signalled } from './scene/own-tool.ts'
import { stage } from './scene/stage.ts'
import { eventsOf } from './scene/whole.ts'

const config = { permissionMode: 'allow' } as const
const words = 'Use the gadget of this project once.'
const hash = (text: string) => createHash('sha256').update(text).digest('hex')

describe('a tool that throws', () => {
  const boom = () => {
    throw new Error('boom')
  }
  const intent = { path: '/nowhere/a.txt', before: null, after: hash('a') }

  test.for<readonly [string, Tool, string, RegExp]>([
    ['while it looks has failed', ownTool('gadget', { run: boom }), 'failed', /^gadget failed: boom$/],
    [
      'and may have done anything has done nobody knows what',
      ownTool('gadget', { effect: 'unknown', run: boom }),
      'unknown',
      /^gadget failed: boom .*unknown whether/,
    ],
    [
      'before it wrote has done nothing',
      ownTool('gadget', {
        effect: 'write',
        intent,
        observe: async () => ({ files: [{ path: intent.path, now: null }] }),
        run: boom,
      }),
      'interrupted',
      /^gadget failed: boom .*Nothing was done/,
    ],
    [
      'after it wrote has done it',
      ownTool('gadget', {
        effect: 'write',
        intent,
        observe: async () => ({ files: [{ path: intent.path, now: intent.after }] }),
        run: boom,
      }),
      'ok',
      /^gadget failed: boom .*change is there/,
    ],
    [
      'and cannot be looked at either has done nobody knows what',
      ownTool('gadget', { effect: 'write', intent, observe: async () => boom(), run: boom }),
      'unknown',
      /^gadget failed: boom .*unknown whether/,
    ],
  ])('%s', async ([, tool, outcome, text]) => {
    await using set = await stage([line('Now.', call('gadget')), line('That was it.')], { tools: [tool], config })
    await set.agent.run(words)
    const history = await set.expectWhole()
    expect(eventsOf(history, 'tool.finished')).toMatchObject([{ outcome, text: expect.stringMatching(text) }])
    expect(set.backend.requests[1]?.messages.at(-1)).toMatchObject({ content: [{ outcome }] })
  })

  test('when it is looked at cannot run, and the model is told', async () => {
    const tool: Tool = { ...ownTool('gadget', { run: boom }), examine: async () => boom() }
    await using set = await stage([line('Now.', call('gadget')), line('That was it.')], { tools: [tool], config })
    await set.agent.run(words)
    const history = await set.expectWhole()
    expect(eventsOf(history, 'tool.finished')).toMatchObject([
      { outcome: 'failed', text: expect.stringContaining('boom') },
    ])
    expect(eventsOf(history, 'tool.started')).toEqual([])
  })

  test('leaves the results of its neighbours alone', async () => {
    const good = ownTool('good', { run: () => ({ outcome: 'ok', text: 'fine' }) })
    const bad = ownTool('bad', { run: boom })
    await using set = await stage(
      [line('All.', call('good'), call('bad'), call('good', { note: '2' })), line('Seen.')],
      {
        tools: [good, bad],
        config,
      },
    )
    await set.agent.run(words)
    const history = await set.expectWhole()
    expect(eventsOf(history, 'tool.finished').map(({ outcome }) => outcome)).toEqual(['ok', 'failed', 'ok'])
  })
})

describe('a tool that never stops', () => {
  test.for(['probe', 'unknown'] as const)(
    'is left behind a moment after the turn was cancelled (%s)',
    async (effect) => {
      const entered = signalled()
      const tool = ownTool('gadget', {
        effect,
        run: () => {
          entered.reach()
          return new Promise(() => {})
        },
      })
      await using set = await stage([line('Now.', call('gadget')), line('You are welcome.')], { tools: [tool], config })
      const running = set.agent.run(words)
      await entered.reached
      set.agent.cancel('that takes too long')
      const result = await running
      expect(result).toMatchObject({ reason: 'interrupted', summary: expect.stringContaining('that takes too long') })
      const history = await set.expectWhole()
      const outcome = effect === 'probe' ? 'interrupted' : 'unknown'
      expect(eventsOf(history, 'tool.finished')).toMatchObject([
        { outcome, text: expect.stringContaining('did not stop') },
      ])
      expect(await set.agent.run('thanks')).toMatchObject({ reason: 'turn_complete' })
      await set.expectWhole()
    },
  )

  test('may still end by itself while it is waited for', async () => {
    const entered = signalled()
    const tool = ownTool('gadget', {
      effect: 'unknown',
      run: (_input, { signal }) => {
        entered.reach()
        return new Promise((resolve) => {
          signal?.addEventListener('abort', () => resolve({ outcome: 'interrupted', text: 'cleaned up' }))
        })
      },
    })
    await using set = await stage([line('Now.', call('gadget'))], { tools: [tool], config })
    const running = set.agent.run(words)
    await entered.reached
    set.agent.cancel()
    expect((await running).reason).toBe('interrupted')
    expect(eventsOf(await set.expectWhole(), 'tool.finished')).toMatchObject([
      { outcome: 'interrupted', text: 'cleaned up' },
    ])
  })
})

describe('a port that throws when it is asked', () => {
  const tool = ownTool('gadget', { effect: 'unknown', run: () => ({ outcome: 'ok', text: 'done' }) })
  const broken = () => Promise.reject(new Error('the window is gone'))

  test.for([
    ['an approver', { approver: { decide: broken } }, call('gadget')],
    ['one who answers questions', { askUser: broken }, call('ask_user', { question: 'Which one?' })],
  ] as const)('as %s ends the turn, and the run says why', async ([, who, made]) => {
    await using set = await stage([line('Now.', made), line('You are welcome.')], {
      tools: [tool],
      config: { permissionMode: 'prompt' },
    })
    await expect(set.agent.run(words, who)).rejects.toThrow('the window is gone')
    const history = await set.expectWhole()
    expect(eventsOf(history, 'turn.finished')).toMatchObject([
      { reason: 'interrupted', summary: expect.stringContaining('the window is gone') },
    ])
    expect(eventsOf(history, 'tool.finished')).toHaveLength(1)
    expect(await set.agent.run('thanks')).toMatchObject({ reason: 'turn_complete' })
    await set.expectWhole()
  })
})

describe('a listener that throws', () => {
  test('never interrupts the run, which rejects with its error at the end', async () => {
    await using set = await stage([{ text: 'Hello there, friend.', chunks: 'word' }])
    const failing = set.agent.run('hello', {
      onEvent: () => {
        throw new Error('the screen is gone')
      },
    })
    const error = await failing.catch((thrown: unknown) => thrown)
    expect(LoaderError.is(error, 'listener_failed')).toBe(true)
    expect(error).toMatchObject({ cause: new Error('the screen is gone') })
    await set.expectWhole()
    expect(set.agent.lastTurnSummary).toMatchObject({ reason: 'turn_complete', response: 'Hello there, friend.' })
  })
})
