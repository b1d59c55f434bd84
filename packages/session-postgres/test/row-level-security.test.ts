import { writeHistory } from '@loader/session-core'
import { type Server, sharedServer } from '@loader/test-postgres'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { PostgresSessionStore } from '../src/index.ts'
import { opened } from './events.ts'

let server: Server
beforeAll(async () => {
  server = await sharedServer()
})

test('with the policy of the README, a user of the database sees the sessions of its tenant, whatever it asks for', async () => {
  const address = await server.database()
  await using owner = new PostgresSessionStore(address)
  await owner.migrate()
  const admin = new pg.Client({ connectionString: address })
  await admin.connect()
  for (const user of ['alice', 'bob']) {
    await admin.query(`create role ${user} login; grant usage on schema loader to ${user}`)
    await admin.query(`grant select, insert, update, delete on all tables in schema loader to ${user}`)
  }
  for (const table of ['session', 'event', 'blob', 'work', 'worker', 'message']) {
    await admin.query(`alter table loader.${table} enable row level security`)
    await admin.query(`create policy own on loader.${table} using (tenant = current_user)`)
  }
  await admin.end()
  const addressOf = (user: string) => address.replace('loader@', `${user}@`)
  await using alice = new PostgresSessionStore(addressOf('alice'), { tenant: 'alice' })
  await using bob = new PostgresSessionStore(addressOf('bob'), { tenant: 'bob' })
  await using thief = new PostgresSessionStore(addressOf('bob'), { tenant: 'alice' })
  await writeHistory(alice, { id: 'one', events: [opened('one')] })
  await writeHistory(bob, { id: 'one', events: [opened('one')] })
  expect((await alice.list()).rows).toHaveLength(1)
  expect((await bob.list()).rows).toHaveLength(1)
  expect((await thief.list()).rows).toEqual([])
  const claim = { owner: { type: 'Agent', path: 'thief' }, expect: 'existing', takeover: true } as const
  await expect(thief.claim('one', claim)).rejects.toMatchObject({ code: 'session_not_found' })
  await expect(thief.delete('one')).rejects.toMatchObject({ code: 'session_not_found' })
  await expect(writeHistory(thief, { id: 'two', events: [opened('two')] })).rejects.toMatchObject({
    code: 'storage_refused',
  })
  const words = { id: 'a', from: 'browser', kind: 'words', text: 'Words.' } as const
  await alice.inbox('one').put(words)
  await expect(thief.inbox('one').put({ ...words, id: 'b' })).rejects.toMatchObject({ code: 'session_not_found' })
  await thief.inbox('one').remove('a')
  expect([await thief.inbox('one').messages(), await bob.inbox('one').messages()]).toEqual([[], []])
  await bob.delete('one')
  expect(await alice.inbox('one').messages()).toEqual([words])
  expect((await alice.verify('one')).intact).toBe(true)
  await alice.delete('one')
})
