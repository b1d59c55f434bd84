// What a session costs in PostgreSQL, beside a bare insert with a commit over the same driver, in turns in one process
// and over one server: ratios hold on a busy machine, milliseconds do not.
import { randomUUID } from 'node:crypto'
import { Session } from '@loader/session-core'
import { systemEnvironment } from '@loader/session-fs'
import { PostgresSessionStore } from '@loader/session-postgres'
import { anyInstallation, Server } from '@loader/test-postgres'
import pg from 'pg'
import { atMost, shown } from './store/figure.mjs'
import { rounds, timed } from './store/rounds.mjs'

const owner = { type: 'Bench', path: 'bench' }
const text = 'x'.repeat(900)
const at = '2026-01-01T00:00:00.000Z'
const inARow = 4

export async function figures() {
  const server = await Server.start(anyInstallation(), { settings: ['fsync=on'] })
  try {
    return [...(await appending(server)), ...(await opening(server)), ...(await manySessions(server))]
  } finally {
    await server.dispose()
  }
}

function recorded(seq) {
  return { type: 'custom.recorded', seq, at, name: 'sample', data: { text } }
}

async function begin(store, id) {
  const { writer } = await store.claim(id, { owner, expect: 'new' })
  await writer.append([{ type: 'session.opened', seq: 1, at, format: 1, id }], 'flush')
  let last = 1
  const next = () => recorded((last += 1))
  return {
    writer,
    one: () => writer.append([next()], 'flush'),
    ten: () => writer.append(Array.from({ length: 10 }, next), 'flush'),
  }
}

async function appending(server) {
  const store = new PostgresSessionStore(server.address, { tenant: randomUUID() })
  const pool = new pg.Pool({ connectionString: server.address })
  await pool.query('create table bare (session text, seq bigint, epoch bigint, body text, primary key (session, seq))')
  const session = await begin(store, 'one')
  let last = 0
  const name = 'bare_insert'
  const insert = 'insert into bare (session, seq, epoch, body) values ($1, $2, $3, $4)'
  const bare = () => pool.query({ name, text: insert, values: ['one', (last += 1), 1, JSON.stringify(recorded(last))] })
  const { medianMs, ratio } = await rounds(400, {
    bare: () => timed(bare, inARow),
    one: () => timed(session.one, inARow),
    ten: () => timed(session.ten, inARow),
  })
  await session.writer.release()
  await store.close()
  await pool.end()
  return [
    shown('a bare insert of one row, with its commit', medianMs.bare * 1000, 'µs'),
    shown('append of one event', medianMs.one * 1000, 'µs'),
    atMost('append of one event to a bare insert', ratio('one', 'bare'), 'x', 1.15),
    atMost('append of ten events to a bare insert', ratio('ten', 'bare'), 'x', 1.6),
  ]
}

/** Statements are counted, not timed. */
async function opening(server) {
  let statements = 0
  const pool = new pg.Pool({ connectionString: server.address })
  pool.on('connect', (client) => {
    const query = client.query.bind(client)
    client.query = (...args) => {
      statements += 1
      return query(...args)
    }
  })
  const store = new PostgresSessionStore(pool, { tenant: randomUUID() })
  const environment = systemEnvironment()
  const session = await Session.open(store, { id: 'one', environment })
  for (let i = 0; i < 50; i += 1) await session.append({ type: 'custom.recorded', name: 'sample', data: { text } })
  await session.close()
  statements = 0
  const { writer } = await store.claim('one', { owner, expect: 'existing' })
  const claimed = statements
  await writer.release()
  statements = 0
  const again = await Session.load(store, 'one', { environment })
  const loaded = statements
  await again.close()
  await pool.end()
  return [
    atMost('round trips of a claim', claimed, '', 3),
    atMost('round trips until a session goes on', loaded, '', 3),
  ]
}

async function manySessions(server) {
  const [sessions, workers, seconds] = [1_000, 50, 5]
  const tenant = randomUUID()
  const pool = new pg.Pool({ connectionString: server.address, max: 20 })
  const store = new PostgresSessionStore(pool, { tenant, leaseMs: 120_000 })
  const held = []
  for (let i = 0; i < sessions; i += 1) held.push(await begin(store, `ses_${i}`))
  const took = []
  const until = performance.now() + seconds * 1000
  const acknowledged = Array.from({ length: sessions }, () => 1)
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      for (let turn = worker; performance.now() < until; turn = (turn + workers) % sessions) {
        const start = performance.now()
        await held[turn].one()
        acknowledged[turn] += 1
        took.push(performance.now() - start)
      }
    }),
  )
  const { rows } = await pool.query('select count(*) as stored from loader.event where tenant = $1', [tenant])
  const lost = acknowledged.reduce((sum, count) => sum + count, 0) - Number(rows[0].stored)
  await pool.end()
  took.sort((a, b) => a - b)
  return [
    shown(`appends a second, ${sessions} sessions, ${workers} workers, 20 connections`, took.length / seconds, '/s'),
    shown('the same, 99 of 100 take at most', took[Math.floor(took.length * 0.99)], 'ms'),
    atMost('acknowledged and not there', lost, '', 0),
  ]
}
