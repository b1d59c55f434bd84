import { type Server, sharedServer } from '@loader/test-postgres'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { PostgresSessionStore } from '../src/index.ts'
import { opened, titled } from './events.ts'

const owner = { type: 'Agent', path: 'public-agent' }
let server: Server
beforeAll(async () => {
  server = await sharedServer()
})

async function connected(address: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

test('an append changes nothing that an index holds, so that the row of a session stays where it is', async () => {
  await using client = await connected(await server.database())
  const address = server.address.replace(/postgres$/, client.database ?? '')
  const store = new PostgresSessionStore(address, { tenant: randomUUID() })
  const { writer } = await store.claim('one', { owner, expect: 'new' })
  await writer.append([opened('one')], 'flush')
  const appends = 200
  for (let seq = 2; seq <= appends; seq += 1) await writer.append([titled(seq)], 'flush')
  await writer.release()
  // A connection that ends hands in what it has counted.
  await store.close()
  const counted = async () => {
    const { rows } = await client.query(
      `select n_tup_upd as changed, n_tup_hot_upd as in_place from pg_stat_user_tables where relname = 'session'`,
    )
    return { changed: Number(rows[0]?.changed), inPlace: Number(rows[0]?.in_place) }
  }
  await expect.poll(async () => (await counted()).changed).toBeGreaterThanOrEqual(appends)
  const { changed, inPlace } = await counted()
  expect(inPlace / changed).toBeGreaterThan(0.95)
})

test('a word of SQL can be the name of the schema', async () => {
  const store = new PostgresSessionStore(server.address, { schema: 'select', tenant: randomUUID() })
  try {
    const { writer } = await store.claim('one', { owner, expect: 'new' })
    await writer.append([opened('one'), titled(2)], 'flush')
    await writer.release()
    const seqs: number[] = []
    for await (const event of store.read('one')) seqs.push(event.seq)
    expect(seqs).toEqual([1, 2])
  } finally {
    await store.close()
  }
})
