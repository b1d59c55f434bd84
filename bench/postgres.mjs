// What a session costs in PostgreSQL, beside a bare insert with a commit over the same driver, in turns in one process
// and over one server: ratios hold on a busy machine, milliseconds do not. With `--rivals`, beside a step of LangGraph's
// saver and of DBOS as well, which are installed from the registry for it.
import { randomUUID } from 'node:crypto'
import { Session } from '@loader/session-core'
import { systemEnvironment } from '@loader/session-fs'
import { PostgresSessionStore } from '@loader/session-postgres'
import { anyInstallation, Server } from '@loader/test-postgres'
import pg from 'pg'
import { dbos, langGraph, loadRivals } from './postgres/rivals.mjs'
import { atMost, shown } from './store/figure.mjs'
import { rounds, timed } from './store/rounds.mjs'

const owner = { type: 'Bench', path: 'bench' }
const text = 'x'.repeat(900)
const at = '2026-01-01T00:00:00.000Z'
const inARow = 4

export async function figures() {
  const server = await Server.start(anyInstallation(), { settings: ['fsync=on'] })
  try {
    const rivals = process.argv.includes('--rivals') ? await besideRivals(server) : []
    return [...(await appending(server)), ...rivals, ...(await opening(server)), ...(await manySessions(server))]
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
  const pool = poolAt(server.address)
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

/** A connection that ends with the server ends nothing else. */
function poolAt(connectionString, options = {}) {
  return new pg.Pool({ connectionString, ...options }).on('error', () => {})
}

/**
 * What each makes durable in a step: Loader, one event behind the last one, fenced by the lease of its writer, in one
 * statement; LangGraph, a checkpoint with the channels that changed, in a transaction of several statements, without a
 * check of who writes; DBOS, the result of one step of a workflow. Commits and bytes of the log are counted in a
 * run of their own.
 */
async function besideRivals(server) {
  const load = loadRivals()
  const store = new PostgresSessionStore(server.address, { tenant: 'rivals' })
  const session = await begin(store, 'one')
  const databases = {
    langGraph: await server.database(),
    growing: await server.database(),
    dbos: await server.database(),
  }
  const one = await langGraph(load, databases.langGraph, recorded, { growing: false })
  const all = await langGraph(load, databases.growing, recorded, { growing: true })
  const workflow = await dbos(load, databases.dbos, recorded)
  const steps = { loader: session.one, langGraph: one.step, dbos: workflow.step }
  const { medianMs, ratio } = await rounds(
    200,
    Object.fromEntries(Object.entries(steps).map(([name, step]) => [name, () => timed(step, inARow)])),
  )
  for (let count = 0; count < 80; count += 1) await all.step()
  const counted = {}
  for (const [name, step] of Object.entries({ ...steps, growing: all.step })) counted[name] = await walOf(server, step)
  await Promise.all([one.end(), all.end(), workflow.end(), session.writer.release()])
  await store.close()
  return [
    shown('append of one event, beside rivals', medianMs.loader * 1000, 'µs'),
    shown("LangGraph's saver: a checkpoint with 1 kB, to an append", ratio('langGraph', 'loader'), 'x'),
    shown('DBOS: a step that returns 1 kB, to an append', ratio('dbos', 'loader'), 'x'),
    shown('log of the server: an append', counted.loader, 'bytes'),
    shown("log of the server: LangGraph's checkpoint with 1 kB", counted.langGraph, 'bytes'),
    shown("log of the server: LangGraph's checkpoint of 100 messages", counted.growing, 'bytes'),
    shown('log of the server: a step of DBOS', counted.dbos, 'bytes'),
  ]
}

/** Bytes that a step writes to the log of the server, which is what a commit waits for. */
async function walOf(server, step, count = 20) {
  const client = new pg.Client({ connectionString: server.address })
  await client.connect()
  // A page that is changed first after this would be written as a whole.
  await client.query('checkpoint')
  for (let warm = 0; warm < 5; warm += 1) await step()
  const { rows: before } = await client.query('select pg_current_wal_insert_lsn() as place')
  for (let made = 0; made < count; made += 1) await step()
  const { rows } = await client.query('select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1) as bytes', [
    before[0].place,
  ])
  await client.end()
  return Number(rows[0].bytes) / count
}

/** Statements are counted, not timed. */
async function opening(server) {
  let statements = 0
  const pool = poolAt(server.address)
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
  const pool = poolAt(server.address, { max: 20 })
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
