import { LoaderError, type StoredEvent } from '@loader/session-core'
import { type Server, sharedServer } from '@loader/test-postgres'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { PostgresSessionStore, type PostgresSessionStoreOptions } from '../src/index.ts'
import { opened, titled } from './events.ts'

const owner = { type: 'Agent', path: 'public-agent' }
let server: Server
beforeAll(async () => {
  server = await sharedServer()
})

async function asked(address: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

/** A database of its own, with settings that somebody made for it. */
async function databaseWith(settings: Readonly<Record<string, string>>): Promise<string> {
  const address = await server.database()
  const name = address.split('/').at(-1)
  for (const [setting, value] of Object.entries(settings)) {
    await asked(address, `alter database ${name} set ${setting} = ${value}`)
  }
  return address
}

const odd = 'a\u0000b \ud800 \n\r\u2028 漢🦊'

/** What everything that is done to a session gives: all of it, or the first error. */
async function used(address: string, options: PostgresSessionStoreOptions = {}, id = 'one'): Promise<unknown> {
  await using store = new PostgresSessionStore(address, { timeoutMs: 5_000, ...options })
  try {
    const { writer } = await store.claim(id, { owner, expect: 'new' })
    await writer.append([opened(id)], 'flush')
    await writer.append([titled(2, odd), titled(3)], 'flush')
    const { blob } = await writer.blobs.put(odd)
    await writer.release()
    const events: StoredEvent[] = []
    for await (const event of store.read(id)) events.push(event)
    expect(await store.readBlob(id, blob)).toBe(odd)
    expect((await store.list()).rows.map((row) => row.id)).toContain(id)
    const message = { id: odd, from: 'browser', kind: 'words', text: odd } as const
    await Promise.all([store.inbox(id).put(message), store.inbox(id).put(message)])
    expect(await store.inbox(id).messages()).toEqual([message])
    await store.inbox(id).remove(odd, 1)
    expect(await store.inbox(id).messages()).toEqual([])
    const { intact } = await store.verify(id)
    return { titles: events.flatMap((event) => ('title' in event ? [event.title] : [])), intact }
  } catch (error) {
    if (LoaderError.is(error)) return `${error.code}: ${error.message}`
    throw error
  }
}

const whole = { titles: [odd, 'Title 3'], intact: true }

describe('a database where everything works', () => {
  test.each([
    { default_transaction_isolation: "'serializable'" },
    { timezone: "'Asia/Kathmandu'", datestyle: "'SQL, DMY'", intervalstyle: "'sql_standard'" },
    { bytea_output: "'escape'", standard_conforming_strings: 'off', client_encoding: "'LATIN1'" },
    { lock_timeout: '1', plan_cache_mode: 'force_custom_plan', row_security: 'off' },
    { search_path: "''" },
  ])('although it has %o', async (settings) => {
    expect(await used(await databaseWith(settings))).toEqual(whole)
  })

  test('although functions of others come before those of the server', async () => {
    const shadows = [
      'create schema shadow',
      `create function shadow.clock_timestamp() returns timestamptz language sql as $$ select 'epoch'::timestamptz $$`,
      'create function shadow.string_to_table(text, text) returns setof text language sql as $$ select null::text $$',
      `create function shadow.chr(int) returns text language sql as $$ select 'x' $$`,
      'create function shadow.to_regclass(text) returns regclass language sql as $$ select null::regclass $$',
      `create domain shadow.uuid as pg_catalog.text check (value = '')`,
    ]
    const address = await databaseWith({ search_path: 'shadow, public, pg_catalog' })
    await asked(address, ...shadows)
    expect(await used(address)).toEqual(whole)
  })

  test('although the table of events is a view by now', async () => {
    const address = await server.database()
    await used(address, {}, 'before')
    await asked(
      address,
      'alter table loader.event rename to event_table',
      'create view loader.event as select * from loader.event_table',
    )
    expect(await used(address)).toEqual(whole)
  })

  test('although it is of one byte for each character, without an opinion', async () => {
    const name = `ascii_${randomUUID().replaceAll('-', '')}`
    await asked(
      server.address,
      `create database ${name} encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C' template template0`,
    )
    expect(await used(server.address.replace(/postgres$/, name))).toEqual(whole)
  })
})

describe('a database that is refused', () => {
  test.each([
    ['default_transaction_read_only', 'on', /^storage_refused: .*may be a replica/],
    ['synchronous_commit', 'off', /^invalid_config: synchronous_commit is off/],
  ])('with %s = %s, says so', async (setting, value, message) => {
    expect(await used(await databaseWith({ [setting]: value }))).toMatch(message)
  })

  test.each([
    ['statement_timeout', /^storage_refused: .*statement timeout/],
    ['idle_in_transaction_session_timeout', /^storage_refused: .*idle-in-transaction timeout/],
  ])('with %s = 1, says so, unless nothing took a millisecond', async (setting, message) => {
    const seen = await used(await databaseWith({ [setting]: '1' }))
    if (typeof seen === 'string') expect(seen).toMatch(message)
    else expect(seen).toEqual(whole)
  })

  test.each(['LATIN1', 'EUC_JP'])('because its encoding is %s, says what to use', async (encoding) => {
    const name = `encoded_${randomUUID().replaceAll('-', '')}`
    const options = `encoding '${encoding}' lc_collate 'C' lc_ctype 'C' template template0`
    await asked(server.address, `create database ${name} ${options}`)
    expect(await used(server.address.replace(/postgres$/, name))).toMatch(/^invalid_config: .*encoding.*UTF8/)
  })

  test('takes reads nevertheless where it is a replica, and names that when somebody writes', async () => {
    const address = await server.database()
    await used(address)
    await asked(address, `alter database ${address.split('/').at(-1)} set default_transaction_read_only = on`)
    await using store = new PostgresSessionStore(address)
    expect((await store.list()).rows.map(({ id }) => id)).toEqual(['one'])
    expect((await store.verify('one')).intact).toBe(true)
    const writing = store.claim('one', { owner, expect: 'existing' })
    await expect(writing).rejects.toMatchObject({
      code: 'storage_refused',
      message: expect.stringContaining('replica'),
    })
  })
})

describe('tables that somebody changed', () => {
  const changes: Readonly<Record<string, { statements: readonly string[]; says: RegExp }>> = {
    'a column is gone': {
      statements: ['alter table loader.session drop column token'],
      says: /^storage_refused: .*token/,
    },
    'a table is gone': { statements: ['drop table loader.event'], says: /^storage_refused: .*does not exist/ },
    'events must be short': {
      statements: ['alter table loader.event alter body type varchar(20) using left(body, 20)'],
      says: /^storage_refused: .*too long/,
    },
    'a trigger drops events': {
      statements: [
        `create function loader.f() returns trigger language plpgsql as 'begin return null; end'`,
        'create trigger t before insert on loader.event for each row execute function loader.f()',
      ],
      says: /^storage_uncertain: .*disagree/,
    },
    'a trigger changes events': {
      statements: [
        `create function loader.f() returns trigger language plpgsql as 'begin new.body = ''{}''; return new; end'`,
        'create trigger t before insert on loader.event for each row execute function loader.f()',
      ],
      says: /^session_damaged: /,
    },
  }
  test.each(Object.entries(changes))('where %s, nothing is acknowledged', async (_name, { statements, says }) => {
    const address = await server.database()
    await used(address, {}, 'before')
    await asked(address, ...statements)
    expect(await used(address)).toMatch(says)
  })

  test('a holder, a row and a state that cannot be read are in nobody else’s way', async () => {
    const address = await server.database()
    await used(address, {}, 'before')
    const taken = `token = gen_random_uuid(), lease_until = now() + interval '1 day'`
    await asked(
      address,
      `update loader.session set holder = 'x{', row = 'x{', listed_at = '2026', state = 'x{', state_seq = 2, ${taken}`,
    )
    expect(await used(address)).toEqual(whole)
    await using store = new PostgresSessionStore(address)
    expect((await store.list()).rows.map(({ id }) => id).toSorted()).toEqual(['before', 'one'])
    const claim = { owner, expect: 'existing' } as const
    await expect(store.claim('before', claim)).rejects.toMatchObject({ code: 'session_busy' })
    const { writer } = await store.claim('before', { ...claim, takeover: true })
    await writer.append([titled(4)], 'flush')
    await writer.release()
  })
})

test('users without rights are told what they lack, and change nothing', async () => {
  const address = await server.database()
  await used(address, {}, 'before')
  const roles = ['none', 'reads', 'half'].map((name) => `${name}_${randomUUID().replaceAll('-', '')}`)
  const [none = '', reads = '', half = ''] = roles
  await asked(
    address,
    ...roles.map((role) => `create role ${role} login`),
    `grant usage on schema loader to ${reads}, ${half}`,
    `grant select on all tables in schema loader to ${reads}, ${half}`,
    `grant insert, update, delete on loader.session to ${half}`,
  )
  for (const role of roles) {
    expect(await used(address.replace('loader@', `${role}@`))).toMatch(/^storage_refused: .*permission denied.*right/)
  }
  await using reader = new PostgresSessionStore(address.replace('loader@', `${reads}@`))
  expect((await reader.list()).rows.map(({ id }) => id)).toEqual(['before'])
  expect(await used(address.replace('loader@', `${none}@`), { schema: 'own' })).toMatch(/^storage_refused: .*right/)
})

test('tenants whose names the database could not tell apart are refused', () => {
  for (const tenant of ['a\ud800', '\udc00a', 'a\0'])
    expect(() => new PostgresSessionStore(server.address, { tenant })).toThrow(/cannot hold/)
  expect(() => new PostgresSessionStore(server.address, { tenant: '🦊' })).not.toThrow()
})

test('connections that are ended after each event, and a user who may not connect any more, lose nothing', async () => {
  const address = await server.database()
  const user = `user_${randomUUID().replaceAll('-', '')}`
  await asked(address, `create role ${user} login superuser`)
  await using store = new PostgresSessionStore(address.replace('loader@', `${user}@`), {
    leaseMs: 6_000,
    timeoutMs: 500,
  })
  const { writer } = await store.claim('one', { owner, expect: 'new' })
  await writer.append([opened('one')], 'flush')
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${user}'`
  for (let seq = 2; seq <= 10; seq += 1) {
    await asked(server.address, cut)
    await writer.append([titled(seq)], 'flush')
  }
  await asked(server.address, `alter role ${user} nologin`, cut)
  const waiting = writer.append([titled(11)], 'flush')
  await new Promise((resolve) => setTimeout(resolve, 300))
  await asked(server.address, `alter role ${user} login`)
  await waiting
  await asked(server.address, `alter role ${user} nologin`, cut)
  const refusal: unknown = await writer.append([titled(12)], 'flush').catch((error: unknown) => error)
  expect(LoaderError.is(refusal)).toBe(true)
  await asked(server.address, `alter role ${user} login`)
  expect((await store.verify('one')).events).toMatchObject({ first: 1, last: 11 })
})

test('a writer waits while its address leads to a replica, and goes on when that takes writes', async () => {
  const address = await server.database()
  await using store = new PostgresSessionStore(address)
  const { writer } = await store.claim('one', { owner, expect: 'new' })
  await writer.append([opened('one')], 'flush')
  const name = address.split('/').at(-1)
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`
  const replica = (value: string) =>
    asked(server.address, `alter database ${name} set default_transaction_read_only = ${value}`)
  for (let seq = 2; seq <= 4; seq += 1) {
    await replica('on')
    await asked(server.address, cut)
    let isThere = false
    const appended = writer.append([titled(seq)], 'flush').then(() => (isThere = true))
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(isThere).toBe(false)
    await replica('off')
    await appended
  }
  await writer.release()
  expect((await store.verify('one')).events).toMatchObject({ first: 1, last: 4 })
})

test('a large event, and one with keys and numbers that objects do not like, come back as they were', async () => {
  await using store = new PostgresSessionStore(server.address, { tenant: randomUUID() })
  const { writer } = await store.claim('one', { owner, expect: 'new' })
  const at = opened('one').at
  const strange: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":1,"n":1e300,"big":-0.0,"":""}')
  const events = [
    opened('one'),
    { type: 'custom.recorded', seq: 2, at, name: 'large', data: 'x'.repeat(20_000_000) },
    { type: 'custom.recorded', seq: 3, at, name: 'strange', data: strange },
  ] as StoredEvent[]
  for (const event of events) await writer.append([event], 'flush')
  await writer.release()
  const read: string[] = []
  for await (const event of store.read('one')) read.push(JSON.stringify(event))
  expect(read.map((text) => text.length)).toEqual(events.map((event) => JSON.stringify(event).length))
  expect(read[2]).toBe(JSON.stringify(events[2]))
})

test('writers, claims and lists at once conflict with nothing where transactions are serializable', async () => {
  const address = await databaseWith({ default_transaction_isolation: "'serializable'" })
  await using store = new PostgresSessionStore(address, { leaseMs: 60_000 })
  const ids = Array.from({ length: 6 }, (_, index) => `ses_${index}`)
  await Promise.all(
    ids.map(async (id) => {
      const { writer } = await store.claim(id, { owner, expect: 'new' })
      await writer.append([opened(id)], 'flush')
      for (let seq = 2; seq <= 40; seq += 1) {
        const rival = store.claim(id, { owner, expect: 'existing' }).catch((error: unknown) => error)
        await Promise.all([writer.append([titled(seq)], 'flush'), writer.blobs.put(`${id} ${seq}`), store.list()])
        expect(await rival).toMatchObject({ code: 'session_busy' })
      }
      await writer.release()
    }),
  )
  for (const id of ids) expect((await store.verify(id)).events).toMatchObject({ first: 1, last: 40 })
})
