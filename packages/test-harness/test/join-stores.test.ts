import { joinStores, MemoryStore, Session, type SessionStore } from '@loader/session-core'
import { describe, expect, test } from 'vitest'
import { type CreateStore, fixedEnvironment } from '../src/index.ts'

import { sessionStoreContract } from '../src/vitest.ts'
import { MortalStore } from './mortal-store.ts'

const joined: CreateStore = async () => {
  const [first, second] = [new MortalStore(), new MortalStore()]
  const store = joinStores(first, second)
  return {
    store,
    async reopen() {
      await first.die()
      await second.die()
      return store
    },
    async dispose() {},
  }
}

sessionStoreContract('two stores as one', joined)

let seconds = 0

/** A session whose last event is later than those of all sessions before. */
async function begin(store: SessionStore, id: string): Promise<void> {
  seconds += 1
  const at = new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString()
  const environment = { ...fixedEnvironment(), now: () => at }
  await using session = await Session.open(store, { environment, id })
  await session.append({ type: 'input.queued', inputId: 'in_1', text: id })
}

const idsOf = async (store: SessionStore) => (await store.list()).rows.map(({ id }) => id)

describe('two stores as one', () => {
  test('have one list, newest first, whatever the size of a page', async () => {
    for (const pattern of ['ababab', 'aaabbb', 'bbbaaa', 'aaaaaa', 'bbbbbb', 'abbbba']) {
      const [a, b] = [new MemoryStore(), new MemoryStore()]
      for (const [index, which] of pattern.split('').entries()) await begin(which === 'a' ? a : b, `s${index}`)
      const store = joinStores(a, b)
      for (const limit of [1, 2, 3, 5, 6, 7]) {
        const ids: string[] = []
        let cursor: string | undefined
        do {
          const page = await store.list({ limit, ...(cursor !== undefined && { cursor }) })
          expect(page.rows.length).toBeLessThanOrEqual(limit)
          ids.push(...page.rows.map(({ id }) => id))
          cursor = page.cursor
        } while (cursor !== undefined)
        expect([pattern, limit, ids]).toEqual([pattern, limit, ['s5', 's4', 's3', 's2', 's1', 's0']])
      }
    }
  })

  test('get new sessions in the first, go on with each where it is, and copy it beside itself', async () => {
    const [first, second] = [new MemoryStore(), new MemoryStore()]
    const store = joinStores(first, second)
    await begin(second, 'old')
    await begin(store, 'new')
    {
      await using session = await Session.load(store, 'old', { environment: fixedEnvironment() })
      await session.append({ type: 'session.titled', title: 'Gone on', by: 'user' })
    }
    await store.fork?.('old', undefined, { environment: fixedEnvironment(), id: 'copy' })
    expect(await idsOf(first)).toEqual(['new'])
    expect(new Set(await idsOf(second))).toEqual(new Set(['old', 'copy']))
  })

  test('refuse an id that one of them has', async () => {
    const [first, second] = [new MemoryStore(), new MemoryStore()]
    const store = joinStores(first, second)
    await begin(second, 'taken')
    await begin(first, 'source')
    await expect(begin(store, 'TAKEN')).rejects.toMatchObject({ code: 'session_exists' })
    const options = { environment: fixedEnvironment(), id: 'taken' }
    await expect(store.fork?.('source', undefined, options)).rejects.toMatchObject({ code: 'session_exists' })
  })

  test('can do what both of them can, and one alone is itself', () => {
    const able = new MemoryStore()
    const unable: SessionStore = {
      list: (query) => able.list(query),
      read: (id) => able.read(id),
      readBlob: (id, blob) => able.readBlob(id, blob),
      claim: (id, options) => able.claim(id, options),
      delete: (id) => able.delete(id),
    }
    expect(joinStores(able, able)).toHaveProperty('fork')
    expect(joinStores(able, unable)).not.toHaveProperty('fork')
    expect(joinStores(able)).toBe(able)
  })
})
