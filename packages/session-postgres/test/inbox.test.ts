import { LoaderError } from '@loader/session-core'
import type { InboxMessage } from '@loader/session-core/coding'
import { anyInstallation, Server, sharedServer, untilWaiting } from '@loader/test-postgres'
import { fromCi, times } from '@loader/test-tier'
import fc from 'fast-check'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { PostgresSessionStore } from '../src/index.ts'
import { opened, titled } from './events.ts'
import { type Sending, withLeaseScene } from './lease-scene.ts'

const owner = { type: 'Agent', path: 'public-agent' }
const words = (id: string, text = `Words of ${id}.`): InboxMessage => ({ id, from: 'browser', kind: 'words', text })
let server: Server
beforeAll(async () => {
  server = await sharedServer()
})

async function begun(store: PostgresSessionStore, id = 'one'): Promise<void> {
  const { writer } = await store.claim(id, { owner, expect: 'new' })
  await writer.append([opened(id)], 'flush')
  await writer.release()
}

/** A session of one event in a tenant of its own, and a connection beside the store. */
async function scene(
  work: (scene: { store: PostgresSessionStore; tenant: string; client: pg.Client }) => Promise<void>,
): Promise<void> {
  const tenant = randomUUID()
  const client = new pg.Client({ connectionString: server.address })
  await client.connect()
  await using store = new PostgresSessionStore(server.address, { tenant })
  try {
    await begun(store)
    await work({ store, tenant, client })
    const { rows } = await client.query('select 1 from loader.message where tenant = $1', [tenant])
    expect(rows).toEqual([])
  } finally {
    await client.end()
  }
}

describe('a message for a session that is deleted meanwhile', () => {
  test('is not kept where the deletion was first', async () => {
    await scene(async ({ store, tenant, client }) => {
      await client.query('begin')
      await client.query('delete from loader.session where tenant = $1', [tenant])
      const [[put]] = await Promise.all([
        Promise.allSettled([store.inbox('one').put(words('a'))]),
        untilWaiting(server.address, '"loader".message').then(() => client.query('commit')),
      ])
      expect(put).toMatchObject({ status: 'rejected', reason: { code: 'session_not_found' } })
    })
  })

  test('goes with it where the deletion had to wait for it, and is none of the next session of that name', async () => {
    await scene(async ({ store, tenant, client }) => {
      await client.query('begin')
      await client.query('select 1 from loader.session where tenant = $1 for key share', [tenant])
      await client.query('insert into loader.message (tenant, key, name, body) values ($1, $2, $3, $4)', [
        tenant,
        'one',
        'name',
        JSON.stringify(words('a')),
      ])
      const deleting = store.delete('one')
      await untilWaiting(server.address, 'delete from "loader".session')
      await client.query('commit')
      await deleting
      await begun(store)
      expect(await store.inbox('one').messages()).toEqual([])
    })
  })

  test('in a race leaves nothing, and is acknowledged or refused', async () => {
    await scene(async ({ store }) => {
      for (let round = 0; round < times({ quick: 5, ci: 20, long: 500 }); round += 1) {
        const puts = Array.from({ length: 8 }, (_, index) => store.inbox('one').put(words(`${round}-${index}`)))
        const outcomes = await Promise.allSettled([...puts, store.delete('one')])
        expect(outcomes.at(-1)).toMatchObject({ status: 'fulfilled' })
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'session_not_found' })
        }
        await begun(store)
        expect(await store.inbox('one').messages()).toEqual([])
      }
    })
  })
})

const lost = () => new Error('Connection terminated unexpectedly')

/** Carries out each statement of that name and loses the answer of the first so many. */
function losing(name: string, many: number): Sending {
  let count = 0
  return async (client, query) => {
    const answer = await client.query(query)
    if (query.name?.startsWith(`loader_${name}_`) !== true || (count += 1) > many) return answer
    throw lost()
  }
}

describe('when the answer is lost', () => {
  test.each(['put_message', 'remove_message'])('of %s, it is asked for again, and is done once', async (name) => {
    await withLeaseScene(
      server.address,
      async ({ store: make }) => {
        const store = make()
        await begun(store)
        const inbox = store.inbox('one')
        await inbox.put(words('a'))
        await inbox.put(words('b'))
        expect(await inbox.messages()).toEqual([words('a'), words('b')])
        await inbox.remove('a')
        expect(await inbox.messages()).toEqual([words('b')])
      },
      { sending: losing(name, 1) },
    )
  })

  test('again, it is called uncertain, and not refused', async () => {
    await withLeaseScene(
      server.address,
      async ({ store: make }) => {
        const store = make()
        await begun(store)
        await expect(store.inbox('one').put(words('a'))).rejects.toMatchObject({ code: 'storage_uncertain' })
        expect(await store.inbox('one').messages()).toEqual([words('a')])
      },
      { sending: losing('put_message', 2) },
    )
  })
})

test('of many that several processes put at once each is there once, and those of one process are in their order', async () => {
  await scene(async ({ store, tenant, client }) => {
    const many = times({ quick: 100, ci: 200, long: 10_000 })
    await using other = new PostgresSessionStore(server.address, { tenant })
    const lanes = [0, 1, 2, 3].flatMap((lane) => [store, other].map((one) => ({ lane, one })))
    const idsOf = (lane: number) => Array.from({ length: many / 4 }, (_, index) => `${lane}-${index}`)
    await Promise.all(
      lanes.map(async ({ lane, one }) => {
        for (const id of idsOf(lane)) await one.inbox('one').put(words(id))
      }),
    )
    const ids = (await store.inbox('one').messages()).map(({ id }) => id)
    expect(ids).toHaveLength(many)
    for (const lane of [0, 1, 2, 3]) expect(ids.filter((id) => id.startsWith(`${lane}-`))).toEqual(idsOf(lane))
    expect((await store.verify('one')).findings).toMatchObject([{ what: 'inbox', severity: 'note' }])
    await store.delete('one')
    const { rows } = await client.query('select 1 from loader.message where tenant = $1', [tenant])
    expect(rows).toEqual([])
  })
})

test('any message comes back as it was put, and one that cannot be read is in nobody’s way and is told', async () => {
  await scene(async ({ store, tenant, client }) => {
    const inbox = store.inbox('ONE')
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 })
    const some = fc.oneof(text, fc.constantFrom('\ud800', 'a\u0000', "'", '\\x', '{}'))
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(some, { maxLength: 5 }), some, async (ids, said) => {
        for (const id of ids) await inbox.put(words(id, said))
        expect(await inbox.messages()).toEqual(ids.map((id) => words(id, said)))
        for (const id of ids) await inbox.remove(id)
      }),
      { numRuns: times({ quick: 5, ci: 20, long: 1_000 }) },
    )
    // Of a later version; not JSON; under the name of another one; not as it was.
    const later = { ...words('later'), kind: 'later' }
    const bodies = { later: JSON.stringify(later), b: '{', c: JSON.stringify(words('x')), d: '{"id":"d"' }
    for (const id of Object.keys(bodies)) await inbox.put(words(id))
    for (const [id, body] of Object.entries(bodies)) {
      const named = `%"id":"${id}"%`
      await client.query('update loader.message set body = $3 where tenant = $1 and body like $2', [
        tenant,
        named,
        body,
      ])
    }
    await inbox.put(words('a'))
    expect(await inbox.messages()).toEqual([words('a')])
    const whats = async () => (await store.verify('one')).findings.map(({ what }) => what)
    expect(await whats()).toEqual(['inbox', 'newer_message', ...Array.from({ length: 3 }, () => 'damaged_message')])
    // The same one again takes the place of what cannot be read, and of nothing else.
    for (const id of ['later', 'b', 'c', 'd', 'a']) await inbox.put(words(id, 'Again.'))
    expect(await inbox.messages()).toEqual([...['b', 'c', 'd'].map((id) => words(id, 'Again.')), words('a')])
    expect(await whats()).toEqual(['inbox', 'newer_message'])
    await store.delete('one')
  })
})

test('tables of the version before are brought up to date while a session is written, without loss', async () => {
  const address = await server.database()
  await using older = new PostgresSessionStore(address)
  const { writer } = await older.claim('one', { owner, expect: 'new' })
  await writer.append([opened('one'), titled(2)], 'flush')
  const { blob } = await writer.blobs.put('long')
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  await client.query('drop table loader.message; delete from loader.migration where version = 3')
  await using strict = new PostgresSessionStore(address, { migrates: false })
  await expect(strict.list()).rejects.toMatchObject({ code: 'invalid_config' })
  const newer = Array.from({ length: 4 }, () => new PostgresSessionStore(address))
  await Promise.all([
    ...newer.map((store) => store.inbox('one').put(words('a'))),
    ...[3, 4, 5].map((seq) => writer.append([titled(seq)], 'flush')),
  ])
  expect(await older.inbox('one').messages()).toEqual([words('a')])
  expect((await strict.verify('one')).events).toMatchObject({ first: 1, last: 5, missing: [] })
  expect(await strict.readBlob('one', blob)).toBe('long')
  const { rows } = await client.query('select version from loader.migration order by version')
  expect(rows.map(({ version }) => version as number)).toEqual([1, 2, 3])
  await writer.release()
  // The statement of a version that knows of no messages.
  await client.query(`delete from loader.session where key = 'one'`)
  expect((await client.query('select 1 from loader.message')).rows).toEqual([])
  await client.end()
  await Promise.all(newer.map((store) => store.close()))
})

test.runIf(fromCi)(
  'what was acknowledged outlives the end of the server, and what was not is put again and there once',
  { timeout: 120_000 },
  async () => {
    const own = await Server.start(anyInstallation(), { settings: ['fsync=on'] })
    const store = new PostgresSessionStore(own.address, { timeoutMs: 2_000 })
    try {
      await begun(store)
      const acknowledged: string[] = []
      let isOver = false
      const putting = (async () => {
        for (let count = 0; !isOver; count += 1) {
          const message = words(`m${count}`)
          for (;;) {
            const refusal: unknown = await store
              .inbox('one')
              .put(message)
              .catch((error: unknown) => error)
            if (refusal === undefined) break
            expect(LoaderError.is(refusal) && refusal.code).toMatch(/^storage_(refused|uncertain)$/)
          }
          acknowledged.push(message.id)
        }
      })()
      for (let kills = 0; kills < times({ quick: 1, ci: 1, long: 20 }); kills += 1) {
        const before = acknowledged.length
        await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(before + 5)
        await own.end('SIGKILL')
        await own.run()
      }
      isOver = true
      await putting
      expect((await store.inbox('one').messages()).map(({ id }) => id)).toEqual(acknowledged)
    } finally {
      await store.close()
      await own.dispose()
    }
  },
)
