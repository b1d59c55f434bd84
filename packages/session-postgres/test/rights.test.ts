import { LoaderError } from '@loader/session-core'
import { anyInstallation, Server } from '@loader/test-postgres'
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, test } from 'vitest'
import { PostgresSessionStore } from '../src/index.ts'
import { opened, titled } from './events.ts'

const document = readFileSync(new URL('../../../docs/postgres.md', import.meta.url), 'utf8')

test('with the rights of docs/postgres.md one user makes the tables, and another works with them and no more', async () => {
  const server = await Server.start(anyInstallation())
  try {
    const [, sql = ''] = /```sql\n(.*?)```/s.exec(document) ?? []
    const admin = new pg.Client({ connectionString: server.address })
    await admin.connect()
    // What every user may do in versions before 15.
    await admin.query('revoke all on schema public from public')
    await admin.query(sql)
    await admin.end()
    await using early = new PostgresSessionStore(server.address.replace('loader@', 'loader_worker@'))
    const refusal: unknown = await early.list().catch((error: unknown) => error)
    expect(LoaderError.is(refusal, 'storage_refused') && refusal.message).toContain('right to do so')
    await using owner = new PostgresSessionStore(server.address.replace('loader@', 'loader_owner@'))
    await owner.migrate()
    await using worker = new PostgresSessionStore(server.address.replace('loader@', 'loader_worker@'))
    const { writer } = await worker.claim('one', { owner: { type: 'Agent', path: 'a' }, expect: 'new' })
    await writer.append([opened('one'), titled(2)], 'flush')
    await writer.blobs.put('long')
    await writer.release()
    await worker.fork('one', 2, { id: 'two', environment: { now: () => opened('one').at, newId: () => 'two' } })
    expect((await worker.list()).rows).toHaveLength(2)
    const words = { id: 'a', from: 'browser', kind: 'words', text: 'Words.' } as const
    for (const id of ['one', 'two']) await worker.inbox(id).put(words)
    expect(await worker.inbox('one').messages()).toEqual([words])
    await worker.inbox('one').remove('a')
    await worker.delete('two')
    expect((await worker.verify('one')).intact).toBe(true)
    const plain = new pg.Client({ connectionString: server.address.replace('loader@', 'loader_worker@') })
    await plain.connect()
    await expect(plain.query('drop table loader.event')).rejects.toThrow('must be owner')
    await expect(plain.query('alter table loader.event add x int')).rejects.toThrow('must be owner')
    await plain.end()
  } finally {
    await server.dispose()
  }
})
