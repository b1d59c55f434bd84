import { ownerOf, Session } from '@loader/session-core'
import { sharedServer, type Server } from '@loader/test-postgres'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { PostgresSessionStore } from '../src/index.ts'
import { opened } from './events.ts'
import { processTable } from './processes.ts'

const owner = ownerOf('Agent')
const environment = { now: () => opened('s').at, newId: (prefix: string) => `${prefix}_${randomUUID()}` }
const image = 'iVBORw0KGgo'.repeat(9000)

describe('a blob that its writer did not come to name', () => {
  let server: Server
  beforeAll(async () => {
    server = await sharedServer()
  })

  /** A session with an image that an event names, and one that its writer was about to name when it ended. */
  async function leftBehind(end: 'in order' | 'at once') {
    const tenant = randomUUID()
    const processes = processTable()
    const open = () => new PostgresSessionStore(server.address, { tenant, processes: processes.table() })
    const first = open()
    const session = await Session.open(first, { environment, owner, id: 's', project: { root: '/work' } })
    const named = await session.blobs.put(image)
    const data = { blob: named.blob, bytes: named.bytes, excerpt: '' }
    const files = [{ type: 'file' as const, mediaType: 'image/png', source: { kind: 'base64' as const, data } }]
    await session.append({ type: 'input.queued', inputId: 'in_1', text: 'Look.', files })
    const unnamed = await session.blobs.put(`${image}AAAA`)
    if (end === 'in order') await session.close()
    else processes.kill()
    const names = () => inTables(tenant, `select name from loader.blob where tenant = $1 and key = 's'`)
    const stores = {
      async [Symbol.asyncDispose]() {
        await Promise.all([first.close(), store.close()])
      },
    }
    const store = open()
    return { store, tenant, names, stores, named: named.blob, unnamed: unnamed.blob }
  }

  async function inTables(tenant: string, sql: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: server.address })
    await client.connect()
    try {
      const { rows } = await client.query<{ name?: string }>(sql, [tenant])
      return rows.map(({ name }) => name)
    } finally {
      await client.end()
    }
  }

  test('is told by verify, and is no damage', async () => {
    const { store, stores, unnamed } = await leftBehind('in order')
    await using _ = stores
    expect(await store.verify('s')).toMatchObject({
      intact: true,
      findings: [{ what: 'unnamed_blob', severity: 'note', file: unnamed }],
    })
  })

  test('goes with the next claim after an end that was not in order, and what is named stays', async () => {
    const { store, stores, named, names } = await leftBehind('at once')
    await using _ = stores
    const { writer } = await store.claim('s', { owner, expect: 'existing' })
    expect(await names()).toEqual([named])
    expect(await writer.blobs.get(named)).toBe(image)
    await writer.release()
    expect((await store.verify('s')).findings).toEqual([])
  })

  test('stays after an end in order: a claim then costs what it did', async () => {
    const { store, stores, named, unnamed, names } = await leftBehind('in order')
    await using _ = stores
    await (await store.claim('s', { owner, expect: 'existing' })).writer.release()
    expect(new Set(await names())).toEqual(new Set([named, unnamed]))
  })

  test('stays where anything is damaged, because its name may have stood there', async () => {
    const { store, stores, tenant, named, unnamed, names } = await leftBehind('at once')
    await using _ = stores
    await inTables(tenant, `update loader.blob set bytes = 'another' where tenant = $1 and name = '${named}'`)
    await (await store.claim('s', { owner, expect: 'existing' })).writer.release()
    expect(await names()).toContain(unnamed)
    const { findings } = await store.verify('s')
    expect(new Set(findings.map(({ what }) => what))).toEqual(new Set(['damaged_blob', 'unnamed_blob']))
  })

  test('goes with a session that never had an event, when another one begins under its name', async () => {
    const tenant = randomUUID()
    const processes = processTable()
    await using before = new PostgresSessionStore(server.address, { tenant, processes: processes.table() })
    await (await before.claim('s', { owner, expect: 'new' })).writer.blobs.put(image)
    processes.kill()
    await using store = new PostgresSessionStore(server.address, { tenant, processes: processes.table() })
    const { writer } = await store.claim('s', { owner, expect: 'new' })
    await writer.append([opened('s')], 'flush')
    await writer.release()
    expect(await store.verify('s')).toMatchObject({ intact: true, findings: [] })
  })

  test('is not copied by a fork, nor is one that a later event names', async () => {
    const { store, stores, named } = await leftBehind('in order')
    await using _ = stores
    const whole = await store.fork('s', undefined, { id: 'whole', environment })
    expect(await store.readBlob(whole.id, named)).toBe(image)
    const early = await store.fork('s', 1, { id: 'early', environment })
    for (const { id } of [whole, early]) expect(await store.verify(id)).toMatchObject({ intact: true, findings: [] })
  })
})
