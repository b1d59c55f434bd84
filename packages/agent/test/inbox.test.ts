import { MemoryStore, Session, shownText } from '@loader/session-core'
import type { InboxMessage } from '@loader/session-core/coding'
import { call, fixedEnvironment, line } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { inputIdOf, replaySession } from '../src/index.ts'
import { localOptions } from '../src/local.ts'
import { scene } from './scene/scene.ts'

const config = { completionCheck: false, workflowMode: 'execute', permissionMode: 'prompt' } as const
const write = line('I write.', call('write', { path: 'a.txt', content: 'a\n' }))
const done = Array.from({ length: 8 }, () => line('Done.'))

const from = 'browser'
const words = (id: string): InboxMessage => ({ id, from, kind: 'words', text: `Words of ${id}.` })
const task = (id: string): InboxMessage => ({ id, from, kind: 'task', text: `Task of ${id}.` })
const answer = (id: string, questionId: string, permit: 'allow' | 'deny'): InboxMessage => ({
  id,
  from,
  kind: 'answer',
  questionId,
  answer: { kind: 'permit', permit, scope: 'once' },
})

/** A run that stands at the question whether a file may be written, with who was asked here. */
async function asked() {
  const one = await scene({ lines: [write, ...done], config })
  const heard: { questionId: string; isOver: boolean }[] = []
  let isAsked = () => {}
  const question = new Promise<void>((resolve) => (isAsked = resolve))
  const running = one.agent.run('Create a.txt', {
    approver: {
      decide: ({ questionId }, { signal }) => {
        const entry = { questionId, isOver: false }
        heard.push(entry)
        signal.addEventListener('abort', () => (entry.isOver = true))
        isAsked()
        return new Promise(() => {})
      },
    },
  })
  await question
  const [entry] = heard
  if (entry === undefined) throw new Error('Nobody was asked.')
  return { one, running, entry, all: heard }
}

describe('a message for whoever holds a session', () => {
  test('that answers a question ends it for whoever was asked here; of several the first counts', async () => {
    const { one, running, entry, all } = await asked()
    await using _ = one
    const taken = await Promise.all([
      one.agent.take(answer('first', entry.questionId, 'allow')),
      one.agent.take(answer('second', entry.questionId, 'deny')),
      one.agent.take(answer('other', 'q_other', 'allow')),
    ])
    expect(taken).toEqual(['recorded', 'obsolete', 'obsolete'])
    expect(await running).toMatchObject({ reason: 'turn_complete' })
    expect({ isOver: entry.isOver, asked: all.length }).toEqual({ isOver: true, asked: 1 })
    const answers = (await one.history()).filter(({ type }) => type === 'question.answered')
    expect(answers).toMatchObject([{ permit: 'allow', by: 'user', via: { id: 'first', from } }])
    // How it came decides nothing: the same decisions follow from it.
    const { workspace, store, backend } = one
    const agent = localOptions({ backend, projectRoot: workspace.root, store, walls: { use: 'off' } })
    const tools = agent.tools.filter(({ name }) => name !== 'finish')
    const history = await one.history()
    const replay = await replaySession(history, { tools: 'stub', agent: { ...agent, tools } })
    expect(replay).toEqual({ kind: 'decided', divergence: null, replayed: history.length })
  })

  test('that came while nobody held it is taken once, also where it is found again after a crash', async () => {
    const store = new MemoryStore()
    await using one = await scene({ lines: done, config, store })
    await one.agent.run('Hello')
    const { id } = one.agent.session
    for (const message of [task('one'), words('two')]) await store.inbox(id).put(message)
    expect(await one.agent.takeMessages()).toBe(2)
    expect(await store.inbox(id).messages()).toEqual([])
    // The process died after it had recorded them, and before it removed them.
    for (const message of [task('one'), words('two')]) await store.inbox(id).put(message)
    await one.agent.close()
    const next = one.again({ lines: done })
    await next.resumeSession(id)
    expect(await next.takeMessages()).toBe(0)
    expect(await store.inbox(id).messages()).toEqual([])
    await next.continue()
    expect(await next.take(task('one'))).toBe('repeated')
    const inputs = (await one.history()).flatMap((event) =>
      event.type === 'input.queued' && 'inputId' in event ? [event.inputId] : [],
    )
    expect(inputs.slice(1)).toEqual(['one', 'two'].map(inputIdOf))
    const said = next.messages.filter(({ origin }) => origin === 'input').map(({ content }) => content)
    expect(JSON.stringify(said).match(/of (one|two)\./g)).toEqual(['of one.', 'of two.'])
  })

  test('that comes at once from several sides is recorded once', async () => {
    const store = new MemoryStore()
    await using one = await scene({ lines: done, config, store })
    await one.agent.run('Hello')
    const { id } = one.agent.session
    await store.inbox(id).put(words('same'))
    const taken = await Promise.all([
      one.agent.takeMessages(),
      one.agent.take(words('same')),
      one.agent.takeMessages(),
      one.agent.take(words('same')),
    ])
    expect(taken).toEqual([1, 'repeated', 0, 'repeated'])
    expect(one.agent.session.state?.queue.map(({ text }) => shownText(text))).toEqual(['Words of same.'])
  })

  test('that stops a turn stops that one, and says where it came from', async () => {
    const { one, running } = await asked()
    await using _ = one
    const turnId = one.agent.session.state?.turn?.id ?? ''
    expect(await one.agent.take({ id: 'a', from, kind: 'stop', turnId: 'turn_other' })).toBe('obsolete')
    expect(await one.agent.take({ id: 'b', from, kind: 'stop', turnId })).toBe('recorded')
    expect(await running).toMatchObject({ reason: 'interrupted' })
    expect(await one.agent.take({ id: 'c', from, kind: 'stop', turnId })).toBe('obsolete')
    const stops = (await one.history()).filter(({ type }) => type === 'stop.requested')
    expect(stops).toMatchObject([{ by: 'user', via: { id: 'b', from } }])
  })

  test('keeps none behind it waiting, whatever it is', async () => {
    const store = new MemoryStore()
    await using one = await scene({ lines: done, config, store })
    await one.agent.run('Hello')
    const { id } = one.agent.session
    const inbox = store.inbox(id)
    const longest = 'x'.repeat(256)
    // As another program could leave it: an input with an id that no event can have.
    const impossible = { ...words('y'), id: 'y'.repeat(300) }
    store.inbox = () => ({ ...inbox, messages: async () => [impossible, ...(await inbox.messages())] })
    for (const message of [words(longest), words('behind')]) await inbox.put(message)
    expect(await one.agent.takeMessages()).toBe(2)
    expect(one.agent.session.state?.queue.map(({ text }) => shownText(text))).toEqual([
      `Words of ${longest}.`,
      'Words of behind.',
    ])
    expect(await inbox.messages()).toEqual([])
    await expect(one.agent.takeMessages()).rejects.toMatchObject({ code: 'invalid_event' })
  })

  test('is left to the next agent by one that was displaced, to which its question is unknown', async () => {
    const store = new MemoryStore()
    await using one = await scene({ lines: done, config, store })
    await one.agent.run('Hello')
    const { id } = one.agent.session
    await Session.load(store, id, { environment: fixedEnvironment(), takeover: true })
    const stop = { id: 'b', from, kind: 'stop', turnId: 'turn_next' } as const
    for (const message of [answer('a', 'q_next', 'allow'), stop]) await store.inbox(id).put(message)
    expect(await one.agent.takeMessages()).toBe(0)
    expect((await store.inbox(id).messages()).map((message) => message.id)).toEqual(['a', 'b'])
    await expect(one.agent.close()).rejects.toMatchObject({ code: 'writer_fenced' })
  })

  test('is left alone by an agent that has let go of the session', async () => {
    const store = new MemoryStore()
    await using one = await scene({ lines: done, config, store })
    await one.agent.run('Hello')
    const { id } = one.agent.session
    await one.agent.close()
    await store.inbox(id).put(words('late'))
    expect(await one.agent.takeMessages()).toBe(0)
    expect(await store.inbox(id).messages()).toHaveLength(1)
    expect(await store.holder(id)).toBeNull()
  })
})
