import { fold, LoaderError, type SessionEvent, type SessionState, writeHistory } from '@loader/session-core'
import { type Server, sharedServer, untilWaiting } from '@loader/test-postgres'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { PostgresSessionStore, type Time } from '../src/index.ts'
import { Lease } from '../src/writer/lease.ts'
import { opened, titled } from './events.ts'
import { type Sending, withLeaseScene } from './lease-scene.ts'
import { processTable } from './processes.ts'

const owner = { type: 'Agent', path: 'public-agent' }
let server: Server
beforeAll(async () => {
  server = await sharedServer()
})

const lost = () => new Error('Connection terminated unexpectedly')

/** Sends everything as it is, but the first statement of that name. */
function butOnce(name: string, instead: Sending): Sending {
  let isFirst = true
  return (client, query, store) => {
    const isIt = isFirst && query.name?.startsWith(`loader_${name}_`) === true
    if (!isIt) return client.query(query)
    isFirst = false
    return instead(client, query, store)
  }
}

const losingTheAnswer: Sending = async (client, query) => {
  await client.query(query)
  throw lost()
}

function stateAt(seq: number): SessionState {
  const events = Array.from({ length: seq - 1 }, (_, index) => titled(index + 2))
  return fold([opened('one'), ...events]) as SessionState
}

describe('when the answer is lost', () => {
  test('of a claim, it is asked for again, and is one claim', async () => {
    const sending = butOnce('claim_new', losingTheAnswer)
    const epochs: number[] = []
    const claim: Parameters<typeof withLeaseScene>[1] = async ({ store }) => {
      const { writer } = await store().claim('one', { owner, expect: 'new' })
      await writer.append([opened('one')], 'flush')
      epochs.push(writer.epoch)
    }
    await withLeaseScene(server.address, claim, { sending })
    expect(epochs).toEqual([1])
  })

  test('of a claim that arrives when others have had the session, it makes no claim good that is over', async () => {
    let late: (() => Promise<unknown>) | undefined
    const sending = butOnce('claim_existing', async (_client, query) => {
      late = async () => {
        const client = new pg.Client(server.address)
        await client.connect()
        await client.query(query)
        await client.end()
      }
      throw lost()
    })
    await withLeaseScene(
      server.address,
      async ({ store }) => {
        const { writer: first } = await store().claim('one', { owner, expect: 'new' })
        await first.append([opened('one')], 'flush')
        await first.release()
        const { writer: asked } = await store().claim('one', { owner, expect: 'existing' })
        const { writer: other } = await store().claim('one', { owner, expect: 'existing', takeover: true })
        await other.append([titled(2)], 'flush')
        await other.release()
        await late?.()
        await expect(asked.append([titled(2)], 'flush')).rejects.toMatchObject({ code: 'writer_fenced' })
        await expect(asked.blobs.put('long')).rejects.toMatchObject({ code: 'writer_fenced' })
        const { writer: next } = await store().claim('one', { owner, expect: 'existing', takeover: true })
        expect(next.epoch).toBe(5)
        await next.release()
      },
      { sending },
    )
  })

  test('of a release, the session is free', async () => {
    const sending = butOnce('release', async () => {
      throw lost()
    })
    await withLeaseScene(
      server.address,
      async ({ store }) => {
        const { writer } = await store().claim('one', { owner, expect: 'new' })
        await writer.append([opened('one')], 'flush')
        await writer.release()
        expect(await store().holder('one')).toBeNull()
      },
      { sending },
    )
  })

  test('of an append, a long text that comes meanwhile is kept', async () => {
    let putting: Promise<unknown> | undefined
    let put = (): Promise<unknown> => Promise.reject(new Error('there is no writer yet'))
    const onSettle = butOnce('settle', async (client, query) => {
      const answer = await client.query(query)
      putting = put()
      await new Promise((resolve) => setTimeout(resolve, 50))
      return answer
    })
    const onAppend = butOnce('append_one', losingTheAnswer)
    const sending: Sending = (client, query, store) =>
      (query.name?.startsWith('loader_settle') === true ? onSettle : onAppend)(client, query, store)
    await withLeaseScene(
      server.address,
      async ({ store }) => {
        const { writer } = await store().claim('one', { owner, expect: 'new' })
        put = () => writer.blobs.put('long')
        await writer.append([opened('one')], 'flush')
        await expect(putting).resolves.toMatchObject({ bytes: 4 })
        await writer.append([titled(2)], 'flush')
      },
      { sending },
    )
  })

  test('of an append, a server that first refuses to say what became of it is asked again', async () => {
    const onSettle = butOnce('settle', async () => {
      throw Object.assign(new Error('canceling statement due to lock timeout'), { severity: 'ERROR', code: '55P03' })
    })
    const onAppend = butOnce('append_one', losingTheAnswer)
    const sending: Sending = (client, query, store) =>
      (query.name?.startsWith('loader_settle') === true ? onSettle : onAppend)(client, query, store)
    await withLeaseScene(
      server.address,
      async ({ store }) => {
        const { writer } = await store().claim('one', { owner, expect: 'new' })
        await expect(writer.append([opened('one')], 'flush')).resolves.toBeUndefined()
        await writer.append([titled(2)], 'flush')
      },
      { sending },
    )
  })
})

/** A session of one event, and a connection beside the store. */
async function scene(
  work: (scene: {
    store: PostgresSessionStore
    tenant: string
    client: pg.Client
    processes: ReturnType<typeof processTable>
  }) => Promise<void>,
): Promise<void> {
  const tenant = randomUUID()
  const processes = processTable()
  const client = new pg.Client({ connectionString: server.address })
  await client.connect()
  await using store = new PostgresSessionStore(server.address, { tenant, processes: processes.table() })
  try {
    await writeHistory(store, { id: 'one', events: [opened('one')] })
    await work({ store, tenant, client, processes })
  } finally {
    await client.end()
  }
}

describe('a session that is deleted', () => {
  test('while the last event of a dead writer is being stored leaves nothing in the way of the next one', async () => {
    await scene(async ({ store, tenant, client, processes }) => {
      await store.claim('one', { owner, expect: 'existing' })
      processes.kill()
      await using next = new PostgresSessionStore(server.address, { tenant, processes: processes.table() })
      await client.query('begin')
      await client.query('update loader.session set head_seq = 2 where tenant = $1', [tenant])
      const event = [tenant, 'one', 2, 2, JSON.stringify(titled(2))]
      await client.query('insert into loader.event (tenant, key, seq, epoch, body) values ($1, $2, $3, $4, $5)', event)
      const deleting = next.delete('one')
      await untilWaiting(server.address)
      await client.query('commit')
      await deleting
      await writeHistory(next, { id: 'one', events: [opened('one'), titled(2), titled(3)] })
      expect((await next.verify('one')).findings).toEqual([])
    })
  })

  test('while it is read is not there, and not damaged', async () => {
    await scene(async ({ store }) => {
      const many = Array.from({ length: 700 }, (_, index): SessionEvent => titled(index + 2))
      await writeHistory(store, { id: 'long', events: [opened('long'), ...many] })
      const events = store.read('long')
      await events.next()
      await store.delete('long')
      const readOn = async () => {
        for await (const _ of events);
      }
      await expect(readOn()).rejects.toMatchObject({ code: 'session_not_found' })
    })
  })

  test('before it had an event leaves no long text', async () => {
    await scene(async ({ store, tenant, client }) => {
      const { writer } = await store.claim('two', { owner, expect: 'new' })
      await writer.blobs.put('long')
      await writer.release()
      const { rows } = await client.query('select name from loader.blob where tenant = $1', [tenant])
      expect(rows).toEqual([])
    })
  })
})

describe('what is saved', () => {
  test('is never a state of events that are not stored, and never gives way to an older one', async () => {
    await scene(async ({ store }) => {
      const { writer } = await store.claim('one', { owner, expect: 'existing' })
      await expect(writer.save(stateAt(2))).rejects.toMatchObject({ code: 'impossible_event' })
      await writer.append([titled(2)], 'flush')
      await writer.save(stateAt(2))
      await writer.save(stateAt(1))
      await writer.release()
      const { writer: next, state } = await store.claim('one', { owner, expect: 'existing' })
      expect(state?.seq).toBe(2)
      await next.release()
    })
  })

  test('while the list is made is listed once, and a row that cannot be read hides no other', async () => {
    const saving: { work: () => Promise<unknown> } = { work: async () => {} }
    const sending = butOnce('list_unsaved', async (client, query) => {
      const answer = await client.query(query)
      await saving.work()
      return answer
    })
    await withLeaseScene(
      server.address,
      async ({ store }) => {
        const { writer } = await store().claim('one', { owner, expect: 'new' })
        await writer.append([opened('one')], 'flush')
        saving.work = () => writer.save(stateAt(1))
        expect((await store().list()).rows.map(({ id }) => id)).toEqual(['one'])
      },
      { sending },
    )
    await scene(async ({ store, tenant, client }) => {
      await client.query(`update loader.session set row = '{}', listed_at = '2026' where tenant = $1`, [tenant])
      await writeHistory(store, { id: 'two', events: [opened('two')] })
      expect((await store.list()).rows.map(({ id }) => id).toSorted()).toEqual(['one', 'two'])
    })
  })
})

describe('a pool of the program', () => {
  test('that has no connection for a while delays what is written; what was not sent is not called uncertain', async () => {
    const pool = new pg.Pool({ connectionString: server.address, max: 1 })
    const store = new PostgresSessionStore(pool, { tenant: randomUUID(), timeoutMs: 100 })
    const { writer } = await store.claim('one', { owner, expect: 'new' })
    const taken = await pool.connect()
    const refusal: unknown = await store.claim('two', { owner, expect: 'new' }).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'storage_refused' })
    const appended = writer.append([opened('one')], 'flush')
    await new Promise((resolve) => setTimeout(resolve, 300))
    taken.release()
    await expect(appended).resolves.toBeUndefined()
    await writer.release()
    await pool.end()
  })

  test('that was ended is named', async () => {
    const pool = new pg.Pool({ connectionString: server.address })
    const store = new PostgresSessionStore(pool, { tenant: randomUUID() })
    const { writer } = await store.claim('one', { owner, expect: 'new' })
    await pool.end()
    const refusal: unknown = await writer.append([opened('one')], 'flush').catch((error: unknown) => error)
    expect(LoaderError.is(refusal, 'storage_refused') && refusal.message).toContain('was ended')
  })

  test('that cannot connect any more ends what follows a session with a reason, as it ends what reads one', async () => {
    const pool = new pg.Pool({ connectionString: server.address })
    let isAway = false
    const connect = () => (isAway ? Promise.reject(new Error('connect ECONNREFUSED')) : pool.connect())
    const store = new PostgresSessionStore({ connect, end: () => pool.end() }, { tenant: randomUUID(), pollMs: 10 })
    const { writer } = await store.claim('one', { owner, expect: 'new' })
    await writer.append([opened('one')], 'flush')
    await writer.release()
    const followed = store.watch('one')
    expect(await followed.next()).toMatchObject({ value: { kind: 'event' } })
    isAway = true
    await expect(followed.next()).rejects.toMatchObject({ code: 'storage_refused' })
    await pool.end()
  })

  test.each([
    ['a variable that is not set', undefined, 'was given undefined'],
    ['a number', 5, 'was given 5'],
    ['the settings of a pool', { host: 'localhost' }, 'was given another object'],
  ])('is refused where it is %s', (_name, where, words) => {
    expect(() => new PostgresSessionStore(where as never)).toThrow(words)
  })

  test('is refused where it is one connection, and nothing is said of a server that did not answer', async () => {
    const client = new pg.Client({ connectionString: server.address })
    await using store = new PostgresSessionStore(client as never)
    const refusal: unknown = await store.list().catch((error: unknown) => error)
    await client.end()
    expect(refusal).toMatchObject({ code: 'invalid_config', message: expect.stringContaining('such as a Client') })
  })
})

test.each([
  { leaseMs: 0 },
  { leaseMs: Infinity },
  { leaseMs: '30' as never },
  { timeoutMs: Number.NaN },
  { pollMs: -1 },
])('a time that is none is refused and named: %o', (options) => {
  const [name = ''] = Object.keys(options)
  expect(() => new PostgresSessionStore(server.address, options)).toThrow(`${name} has to be a number of milliseconds`)
})

test('a store is closed once, however often that is asked for', async () => {
  await using store = new PostgresSessionStore(server.address, { tenant: randomUUID() })
  await store.list()
  expect(await Promise.all([store.close(), store.close()])).toEqual([undefined, undefined])
})

test('a lease is lost before it ends, also while the database keeps its holder waiting for an answer', async () => {
  let now = 0
  const plan: { at: number; work: () => void }[] = []
  const time: Time = {
    now: () => now,
    after: (ms, work) => {
      const planned = { at: now + ms, work }
      plan.push(planned)
      return () => void plan.splice(plan.indexOf(planned), 1)
    },
  }
  const lease = new Lease({ id: 'one', leaseMs: 3_000, time, renew: () => new Promise(() => {}) }, 0)
  while (!lease.lost.aborted) {
    const [next] = plan.toSorted((one, other) => one.at - other.at)
    if (next === undefined) break
    plan.splice(plan.indexOf(next), 1)
    now = next.at
    next.work()
    await Promise.resolve()
  }
  expect(lease.lost.reason).toMatchObject({ code: 'writer_fenced' })
  expect(now).toBeLessThan(3_000)
})
