import { MemoryStore, readSession, Session } from '@loader/session-core'
import { fixedEnvironment } from '@loader/test-harness'
import type { ActRefused } from '@loader/web/server'
import { expect, test } from 'vitest'
import { fork, rename } from '../../src/web/acting/between-turns.ts'
import type { Desk } from '../../src/web/acting/desk.ts'
import { sessionIdOf } from '../../src/web/acting/ids.ts'
import { queueWords } from '../../src/web/acting/tasks.ts'
import { Standings } from '../../src/web/standing/standings.ts'

/** A server that was just started, over sessions that were there before: it remembers no request. */
function started(store: MemoryStore): Desk {
  return {
    standings: new Standings({ has: () => undefined, trouble: () => null }, undefined, () => true),
    runners: { alone: (_id: string, work: () => unknown) => work(), has: () => undefined },
    find: async (id: string) => ((await store.list()).rows.some((row) => row.id === id) ? { id, store } : undefined),
  } as unknown as Desk
}

async function withSession() {
  const store = new MemoryStore()
  const environment = fixedEnvironment()
  const session = await Session.open(store, { environment, title: 'Begun' })
  await session.close()
  return { store, environment, id: session.id }
}

async function titlesOf(store: MemoryStore, id: string): Promise<string[]> {
  const { history } = await readSession(store, id)
  return history.flatMap((event) => (event.type === 'session.titled' && 'title' in event ? [String(event.title)] : []))
}

const request = 'request-0123456789'

test('a title is given once, also where the server was started again and somebody has given another', async () => {
  const { store, id } = await withSession()
  const wish = { request, session: id, title: ' Mine ' }
  expect(await rename(wish, started(store))).toEqual({ session: id, state: 'recorded' })
  await rename({ request: 'request-9876543210', session: id, title: 'Yours' }, started(store))
  expect(await rename(wish, started(store))).toEqual({ session: id, state: 'recorded', repeated: true })
  expect(await titlesOf(store, id)).toEqual(['Mine', 'Yours'])
})

test('a copy has its title, also where the server was killed before it was given, and once', async () => {
  const { store, environment, id } = await withSession()
  const copy = sessionIdOf(request)
  await store.fork(id, undefined, { environment, id: copy })
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const told = await fork({ request, session: id, title: 'Copied' }, started(store))
    expect(told).toMatchObject({ session: copy, from: { id }, repeated: true })
  }
  expect(await titlesOf(store, copy)).toEqual(['Copied'])
  expect(await titlesOf(store, id)).toEqual([])
})

test('words that vanish from the inbox before anybody took them are never called recorded', async () => {
  const { store, environment, id } = await withSession()
  await using _elsewhere = await Session.load(store, id, { environment })
  const inbox = store.inbox(id)
  store.inbox = () => ({ ...inbox, messages: async () => [] })
  const sent = queueWords({ request, session: id, text: 'Hello' }, started(store))
  const code = await sent.then(
    ({ state }) => state,
    (error: ActRefused) => error.refusal.code,
  )
  expect(code).toBe('unknown')
})

test('what is taken while it is looked for is recorded', async () => {
  const { store, environment, id } = await withSession()
  await using elsewhere = await Session.load(store, id, { environment })
  const inbox = store.inbox(id)
  store.inbox = () => ({
    ...inbox,
    // Whoever has the session takes it now.
    messages: async () => {
      const there = await inbox.messages()
      for (const { id: message, from } of there) {
        const via = { id: message, from }
        await elsewhere.append({ type: 'input.queued', inputId: `in_${message}`, text: 'Hello', via })
        await inbox.remove(message)
      }
      return []
    },
  })
  const told = await queueWords({ request, session: id, text: 'Hello' }, started(store))
  expect(told).toMatchObject({ state: 'recorded' })
})
