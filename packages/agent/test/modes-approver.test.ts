import { MemoryStore } from '@loader/session-core'
import type { Approver, PermissionAnswer, PermissionQuestion } from '@loader/session-core/coding'
import { FileSessionStore } from '@loader/session-fs'
import { call, line, type ScriptLine } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { expectReadByOlderVersion } from './done/older-reader.ts'
import { scene } from './scene/scene.ts'
import { signalled } from './scene/own-tool.ts'
import { stage, type StageOptions } from './scene/stage.ts'
import { eventsOf, faultsOf } from './scene/whole.ts'

const work = 'Create the files that this project needs.'
const asking: StageOptions = { config: { permissionMode: 'prompt', completionCheck: false } }
const touch = (name: string) => line(`I make ${name}.`, call('bash', { command: `touch ${name}` }))
const write = (content: string) => line('I write.', call('write', { file_path: 'a.txt', content }))
const done: readonly ScriptLine[] = Array.from({ length: 4 }, () => line('That was it.'))

/** Somebody who says the same to every question, and keeps what was asked. */
function somebody(answer: PermissionAnswer): { readonly approver: Approver; readonly asked: PermissionQuestion[] } {
  const asked: PermissionQuestion[] = []
  return {
    asked,
    approver: {
      decide: async (question) => {
        asked.push(question)
        return answer
      },
    },
  }
}

describe('an approver', () => {
  test('sees what is asked for, with its preview and the reason', async () => {
    await using set = await stage([write('one\n'), ...done], asking)
    const { approver, asked } = somebody({ permit: 'allow', scope: 'once' })
    await set.agent.run(work, { approver })
    expect(asked).toMatchObject([
      { tool: 'write', preview: expect.stringContaining('+one'), reason: expect.stringContaining('prompt') },
    ])
    const history = await set.expectWhole()
    expect(eventsOf(history, 'question.asked')).toMatchObject([
      { kind: 'permit', text: expect.stringContaining('+one') },
    ])
    expect(eventsOf(history, 'permission.decided')).toMatchObject([{ permit: 'ask' }, { permit: 'allow', by: 'user' }])
  })

  test('is asked after the question is stored, and before the call has any effect', async () => {
    await using folder = await scene()
    const root = folder.workspace.root
    await using set = await stage([write('one\n'), ...done], { ...asking, store: new FileSessionStore({ root }) })
    const reader = new FileSessionStore({ root })
    const seen: unknown[] = []
    const approver: Approver = {
      decide: async ({ questionId }) => {
        for await (const event of reader.read(set.agent.session.id))
          if ('questionId' in event) seen.push(event.questionId === questionId)
        seen.push(await set.place.workspace.files())
        return { permit: 'allow', scope: 'once' }
      },
    }
    await set.agent.run(work, { approver })
    expect(seen).toEqual([true, {}])
  })

  test('who says no tells the model why', async () => {
    await using set = await stage([write('one\n'), line('I may not.')], asking)
    const { approver } = somebody({ permit: 'deny', scope: 'once', reason: 'use b.txt instead' })
    await set.agent.run(work, { approver })
    expect(await set.place.workspace.files()).toEqual({})
    expect(set.backend.requests[1]?.messages.at(-1)).toMatchObject({
      content: [{ outcome: 'denied', text: expect.stringContaining('use b.txt instead') }],
    })
    await set.expectWhole()
  })

  test.for([
    ['once', 'allow', 2, 0],
    ['session', 'allow', 1, 1],
    ['always', 'allow', 1, 1],
    ['session', 'deny', 1, 1],
  ] as const)('whose answer holds %s (%s) is asked %i times', async ([scope, permit, times, rules]) => {
    const lines = [
      line('I run.', call('bash', { command: 'touch a.txt' })),
      line('Else.', call('bash', { command: 'ls' })),
      line('Again.', call('bash', { command: 'touch a.txt' })),
      ...done,
    ]
    await using set = await stage(lines, asking)
    const { approver, asked } = somebody({ permit, scope })
    await set.agent.run(work, { approver })
    expect(asked.filter(({ preview }) => JSON.stringify(preview).includes('touch'))).toHaveLength(times)
    const added = eventsOf(await set.expectWhole(), 'permission.rule_added').filter(({ rule }) =>
      rule.pattern?.includes('touch'),
    )
    expect(added).toHaveLength(rules)
    if (rules > 0)
      expect(added).toMatchObject([
        { rule: { permit, source: scope }, scope: scope === 'always' ? 'project' : 'session', by: 'user' },
      ])
  })

  test('allows exactly what was asked, and nothing like it', async () => {
    await using set = await stage([touch('a.txt'), touch('b.txt'), touch('a.txt; touch c.txt'), ...done], asking)
    const { approver, asked } = somebody({ permit: 'allow', scope: 'session' })
    await set.agent.run(work, { approver })
    expect(asked).toHaveLength(3)
    await set.expectWhole()
  })

  test.for([
    ['call', 'Bash(git fetch one)', 2],
    ['kind', 'Bash(git fetch:*)', 1],
    [undefined, 'Bash(git fetch:*)', 1],
  ] as const)('who means the %s adds the rule %s', async ([extent, pattern, times]) => {
    const fetch = (remote: string) => line('I fetch.', call('bash', { command: `git fetch ${remote}` }))
    await using set = await stage([fetch('one'), fetch('one'), fetch('two'), ...done], asking)
    const { approver, asked } = somebody({ permit: 'allow', scope: 'session', ...(extent && { extent }) })
    await set.agent.run(work, { approver })
    expect(asked).toHaveLength(times)
    expect(asked[0]).toMatchObject({
      rule: { pattern: 'Bash(git fetch:*)' },
      exactRule: { pattern: 'Bash(git fetch one)' },
    })
    const history = await set.expectWhole()
    expect(eventsOf(history, 'permission.rule_added')[0]).toMatchObject({ rule: { pattern } })
    expectReadByOlderVersion(history)
  })

  test('is not asked again in the same session by another process', async () => {
    const store = new MemoryStore()
    await using set = await stage([touch('a.txt'), ...done], { ...asking, store })
    const first = somebody({ permit: 'allow', scope: 'session' })
    await set.agent.run(work, { approver: first.approver })
    await set.agent.close()
    const agent = set.place.again({ lines: [touch('a.txt'), ...done] })
    await agent.resumeSession()
    const second = somebody({ permit: 'deny', scope: 'once' })
    await agent.run(work, { approver: second.approver })
    expect([first.asked.length, second.asked.length]).toEqual([1, 0])
  })

  test('of another session is asked anew', async () => {
    await using set = await stage([touch('a.txt'), line('Done.'), touch('b.txt'), ...done], asking)
    const { approver, asked } = somebody({ permit: 'allow', scope: 'session' })
    await set.agent.run(work, { approver })
    await set.agent.clearHistory()
    await set.agent.run(work, { approver })
    expect(asked).toHaveLength(2)
  })
})

describe('a question that is open when the process ends', () => {
  test('is put again, with the same id, and its answer counts', async () => {
    const store = new MemoryStore()
    await using set = await stage([write('one\n'), ...done], { ...asking, store })
    const waiting = signalled()
    const ids: string[] = []
    const absent: Approver = {
      decide: ({ questionId }) => {
        ids.push(questionId)
        waiting.reach()
        return new Promise(() => {})
      },
    }
    set.agent.run(work, { approver: absent }).catch(() => undefined)
    await waiting.reached
    const agent = set.place.again({ lines: [...done] })
    await agent.resumeSession('latest', { takeover: true })
    const { approver, asked } = somebody({ permit: 'allow', scope: 'once' })
    await agent.continue({ approver })
    expect(asked.map(({ questionId }) => questionId)).toEqual(ids)
    expect(await set.place.workspace.files()).toEqual({ 'a.txt': 'one\n' })
    expect(faultsOf({ history: await set.place.history(), state: agent.session.state })).toEqual([])
  })

  test('is a no once the run is non-interactive', async () => {
    const store = new MemoryStore()
    await using set = await stage([write('one\n'), ...done], { ...asking, store })
    const waiting = signalled()
    set.agent.run(work, { approver: { decide: () => (waiting.reach(), new Promise(() => {})) } }).catch(() => undefined)
    await waiting.reached
    const agent = set.place.again({ lines: [...done] })
    await agent.resumeSession('latest', { takeover: true })
    await agent.continue()
    expect(await set.place.workspace.files()).toEqual({})
    const history = await set.place.history()
    expect(eventsOf(history, 'tool.finished')).toMatchObject([{ outcome: 'denied' }])
    expect(faultsOf({ history, state: agent.session.state })).toEqual([])
  })

  test('to the user is put again as well', async () => {
    const store = new MemoryStore()
    const ask = line('I ask.', call('ask_user', { question: 'Which one?' }))
    await using set = await stage([ask, ...done], { config: { completionCheck: false }, store })
    const waiting = signalled()
    set.agent.run(work, { askUser: () => (waiting.reach(), new Promise(() => {})) }).catch(() => undefined)
    await waiting.reached
    const agent = set.place.again({ lines: [...done] })
    await agent.resumeSession('latest', { takeover: true })
    await agent.continue({ askUser: async ({ text }) => `${text} The second.` })
    const history = await set.place.history()
    expect(eventsOf(history, 'question.asked')).toHaveLength(1)
    expect(eventsOf(history, 'tool.finished')).toMatchObject([{ outcome: 'ok', text: 'Which one? The second.' }])
    expect(faultsOf({ history, state: agent.session.state })).toEqual([])
  })
})

describe('in a non-interactive run', () => {
  test.for(['prompt', 'workspace-write'] as const)('the answer is no at once, in mode %s', async (permissionMode) => {
    const lines = [line('I try.', call('bash', { command: 'git push', reach: 'network' })), ...done]
    await using set = await stage(lines, { config: { permissionMode, completionCheck: false } })
    await set.agent.run(work)
    const history = await set.expectWhole()
    expect(eventsOf(history, 'question.asked')).toEqual([])
    expect(eventsOf(history, 'permission.decided')).toMatchObject([
      { permit: 'deny', reason: expect.stringMatching(/this run is non-interactive$/) },
    ])
  })

  test('who only answers questions gives no permissions', async () => {
    await using set = await stage([write('one\n'), line('I may not.')], asking)
    await set.agent.run(work, { askUser: async () => 'yes' })
    expect(await set.place.workspace.files()).toEqual({})
    expect(eventsOf(await set.expectWhole(), 'question.answered')).toMatchObject([
      { outcome: 'unanswered', by: 'runtime' },
    ])
  })
})
