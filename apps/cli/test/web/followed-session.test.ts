import { MemoryStore, readSession, Session, type SessionStore } from '@loader/session-core'
import { fixedEnvironment } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { FollowedSession } from '../../src/web/standing/followed-session.ts'

test('a backup that was put in the place of a session is read from its beginning, and nothing stays of what it lacks', async () => {
  const environment = fixedEnvironment()
  const [store, backup] = [new MemoryStore(), new MemoryStore()]
  const grow = async (from: MemoryStore, ids: readonly string[]) => {
    await using session = await Session.load(from, 'one', { environment })
    for (const id of ids)
      await session.append({ type: 'input.queued', inputId: id, text: id, via: { id: `by ${id}`, from: 'x' } })
  }
  await (await Session.open(store, { environment, id: 'one' })).close()
  await grow(store, ['a'])
  const { history } = await readSession(store, 'one')
  await grow(store, ['b', 'c'])
  await backup.restore({ id: 'one', events: history, texts: new Map() })
  let current = store
  const followed = new FollowedSession({ read: (id, options) => current.read(id, options) }, 'one')
  const known = () =>
    ['a', 'b', 'c', 'd', 'e', 'f'].filter((id) => followed.hasInput(id) && followed.hasHeard(`by ${id}`))
  await followed.now()
  expect(known()).toEqual(['a', 'b', 'c'])
  current = backup
  expect((await followed.now()).seq).toBe(history.length)
  expect(known()).toEqual(['a'])
  await grow(backup, ['d', 'e', 'f'])
  expect((await followed.now()).queue.map(({ inputId }) => inputId)).toEqual(['a', 'd', 'e', 'f'])
  current = store
  expect((await followed.now()).queue.map(({ inputId }) => inputId)).toEqual(['a', 'b', 'c'])
})

test('what was stored before somebody asked is never missed, however slow an earlier reading is', async () => {
  const store = new MemoryStore()
  await using session = await Session.open(store, { environment: fixedEnvironment() })
  const gates: (() => void)[] = []
  // As a database: the events are those of when it was asked, and arrive later.
  const slow: Pick<SessionStore, 'read'> = {
    async *read(id, options) {
      const events = []
      for await (const event of store.read(id, options)) events.push(event)
      await new Promise<void>((resolve) => gates.push(resolve))
      yield* events
    },
  }
  const open = setInterval(() => gates.splice(0).forEach((gate) => gate()), 1)
  try {
    const followed = new FollowedSession(slow, session.id)
    for (let round = 0; round < 20; round += 1) {
      const early = [followed.now(), followed.now()]
      await new Promise((resolve) => setImmediate(resolve))
      await session.append({
        type: 'input.queued',
        inputId: `in_${round}`,
        text: 'Hello',
        via: { id: `m_${round}`, from: 'x' },
      })
      const late = await Promise.all([followed.now(), followed.now(), followed.now()])
      expect(late.map(({ seq }) => seq)).toEqual([session.state.seq, session.state.seq, session.state.seq])
      expect([followed.hasHeard(`m_${round}`), followed.hasInput(`in_${round}`)]).toEqual([true, true])
      await Promise.all(early)
    }
  } finally {
    clearInterval(open)
  }
})
