import { LoaderError, type StoredEvent, writeHistory } from '@loader/session-core'
import { times } from '@loader/test-tier'
import fc from 'fast-check'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { PostgresSessionStore } from '../src/index.ts'
import { migrations } from '../src/schema/migrations.ts'
import { opened, titled } from './events.ts'
import { type Server, sharedServer } from '@loader/test-postgres'

const owner = { type: 'Agent', path: 'public-agent' }
let server: Server
beforeAll(async () => {
  server = await sharedServer()
})

/** Any text, also one that no encoding holds. */
const text = fc.string({
  unit: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 1 }),
    fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  ),
  maxLength: 40,
})

test('events, titles and long texts with any character come back as they were', async () => {
  await using store = new PostgresSessionStore(server.address, { tenant: randomUUID() })
  let count = 0
  await fc.assert(
    fc.asyncProperty(
      text.map((some) => `t${some}`),
      fc.jsonValue({ stringUnit: 'binary' }),
      text,
      async (title, data, long) => {
        const id = `ses_${(count += 1)}`
        const named: StoredEvent = { ...titled(2), type: 'session.titled', title } as StoredEvent
        const custom = { type: 'custom.recorded', seq: 3, at: opened(id).at, name: 'sample', data } as StoredEvent
        await writeHistory(store, { id, events: [opened(id), named, custom] })
        const events: StoredEvent[] = []
        for await (const event of store.read(id)) events.push(event)
        expect(JSON.stringify(events)).toBe(JSON.stringify([opened(id), named, custom]))
        const { writer } = await store.claim(id, { owner, expect: 'existing' })
        const { blob } = await writer.blobs.put(long)
        expect(await store.readBlob(id, blob)).toBe(long)
        await writer.release()
        expect((await store.list({ limit: 1000 })).rows.find((row) => row.id === id)?.title).toBe(title)
        // No event names the text, so it is told; nothing else is.
        expect((await store.verify(id)).findings.map(({ what }) => what)).toEqual(['unnamed_blob'])
      },
    ),
    { numRuns: times({ quick: 20, ci: 200, long: 2_000 }) },
  )
})

test('any id is a session or refused, and never another one', async () => {
  await using store = new PostgresSessionStore(server.address, { tenant: randomUUID() })
  const { writer } = await store.claim('one', { owner, expect: 'new' })
  await writer.append([opened('one')], 'flush')
  await fc.assert(
    fc.asyncProperty(fc.oneof(text, fc.constantFrom("one' or '1'='1", 'one\0', 'ONE ', '%', 'o_e')), async (id) => {
      const outcome: unknown = await store.claim(id, { owner, expect: 'existing' }).catch((error: unknown) => error)
      expect(LoaderError.is(outcome)).toBe(true)
      expect((outcome as LoaderError).code).toMatch(/^(invalid_id|session_not_found)$/)
    }),
    { numRuns: times({ quick: 50, ci: 300 }) },
  )
  await writer.release()
})

test('any place in a list leads somewhere in it', async () => {
  await using store = new PostgresSessionStore(server.address, { tenant: randomUUID() })
  for (const id of ['one', 'two', 'three']) await writeHistory(store, { id, events: [opened(id)] })
  await fc.assert(
    fc.asyncProperty(text, async (cursor) => {
      expect((await store.list({ cursor, limit: 2 })).rows.length).toBeLessThanOrEqual(2)
    }),
    { numRuns: times({ quick: 20, ci: 100 }) },
  )
})

test('two tenants have sessions of one id, and nothing of each other', async () => {
  await using mine = new PostgresSessionStore(server.address, { tenant: randomUUID() })
  await using theirs = new PostgresSessionStore(server.address, { tenant: randomUUID() })
  await writeHistory(mine, { id: 'one', events: [opened('one'), titled(2, 'Mine')] })
  const { writer } = await mine.claim('one', { owner, expect: 'existing' })
  const { blob } = await writer.blobs.put('a secret')
  const calls = {
    read: async () => {
      for await (const _ of theirs.read('one')) return
    },
    claim: () => theirs.claim('one', { owner, expect: 'existing', takeover: true }),
    delete: () => theirs.delete('one'),
    readBlob: () => theirs.readBlob('one', blob),
    holder: () => theirs.holder('one'),
    fork: () => theirs.fork('one', 1, { environment: { now: () => opened('one').at, newId: () => 'copy' } }),
    verify: () => theirs.verify('one'),
  }
  for (const call of Object.values(calls)) {
    await expect(call()).rejects.toMatchObject({ code: 'session_not_found' })
  }
  expect((await theirs.list()).rows).toEqual([])
  await writeHistory(theirs, { id: 'one', events: [opened('one'), titled(2, 'Theirs')] })
  await writer.release()
  await theirs.delete('one')
  expect((await mine.list()).rows.map(({ title }) => title)).toEqual(['Mine'])
  expect(await mine.readBlob('one', blob)).toBe('a secret')
})

test('many processes that bring the schema up to date at once do it once', async () => {
  const schema = `schema_${randomUUID().replaceAll('-', '')}`
  const stores = Array.from({ length: 6 }, () => new PostgresSessionStore(server.address, { schema }))
  await Promise.all(stores.map((store) => store.migrate()))
  const client = new pg.Client({ connectionString: server.address })
  await client.connect()
  const { rows } = await client.query(`select version from ${schema}.migration order by version`)
  expect(rows).toEqual(migrations.map(({ version }) => ({ version })))
  await client.query(`insert into ${schema}.migration (version) values (99)`)
  await client.end()
  await using late = new PostgresSessionStore(server.address, { schema })
  await expect(late.list()).rejects.toMatchObject({ code: 'format_newer' })
  await using strict = new PostgresSessionStore(server.address, { schema: 'nowhere', migrates: false })
  await expect(strict.list()).rejects.toMatchObject({ code: 'invalid_config' })
  await Promise.all(stores.map((store) => store.close()))
})
