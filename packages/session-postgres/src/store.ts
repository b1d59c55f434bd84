import {
  type Claim,
  type ClaimOptions,
  type Fork,
  type ForkOptions,
  type Inbox,
  type ListQuery,
  LoaderError,
  type Owner,
  type ReadOptions,
  type SessionPage,
  type SessionStore,
  type StoreCapabilities,
  type StoredEvent,
  type Verification,
  type WatchItem,
  type WatchOptions,
  type WholeHistory,
} from '@loader/session-core'
import pg from 'pg'
import { Database } from './database/database.ts'
import { storageError } from './database/failure.ts'
import { Hints } from './database/hints.ts'
import { inBackground, systemTime, type Time } from './database/time.ts'
import { keepInside } from './inside.ts'
import { migrate, requireSchema } from './schema/migrate.ts'
import { nameOfBlob, textOfBlob } from './stored/blobs.ts'
import { busy, claimSession, standingAt } from './sessions/claim.ts'
import { forkSession } from './sessions/fork.ts'
import { currentHolder, isDead, isFree, type Processes, type HolderStanding } from './stored/holder.ts'
import { databaseInbox } from './sessions/inbox.ts'
import { listSessions } from './sessions/list.ts'
import { type RowPlace, placeOf } from './stored/place.ts'
import { notFound } from './stored/presence.ts'
import { eventsBetween } from './stored/read.ts'
import { deleteSession } from './sessions/statements.ts'
import { readBlob } from './stored/statements.ts'
import { restoreSession } from './sessions/restore.ts'
import { verifySession } from './sessions/verify.ts'
import { watchSession } from './sessions/watch.ts'

/** Settings of a store. The defaults are right for one team on one database; name a `tenant` where there are several. */
export interface PostgresSessionStoreOptions {
  /** Whose sessions these are. Two tenants see nothing of each other. */
  readonly tenant?: string
  /** The schema of the tables. */
  readonly schema?: string
  /** How long a session stays with a holder of whom nothing is heard, in milliseconds. */
  readonly leaseMs?: number
  /** How long an answer of the server may take, in milliseconds. */
  readonly timeoutMs?: number
  /** Whether the tables are made, or brought up to date, where that is needed. Else `migrate()` has to do so. */
  readonly migrates?: boolean
  /** How long a watcher waits before looking again where no hint comes, in milliseconds. */
  readonly pollMs?: number
  /** Where to listen for hints that something was stored: an address behind which there is no pooler. */
  readonly listenAt?: string
  /** Which processes there are, so that what a dead one of this machine held is free at once. */
  readonly processes?: Processes
  /** What the store goes by where it waits. A simulation gives its own. */
  readonly time?: Time
}

/** A `Pool` of pg, by the part that tells it apart: the types of pg belong to the program that uses it. */
export interface PostgresPool {
  connect(): Promise<unknown>
  end(): Promise<void>
}

const nameOfSchema = /^[a-z_][a-z0-9_]{0,62}$/

/**
 * Sessions in PostgreSQL, for many processes on many machines. The writer of a session holds a lease on it, and each
 * statement that changes something names the claim under which it was sent.
 */
export class PostgresSessionStore
  implements
    SessionStore,
    Pick<StoreCapabilities, 'fork' | 'watch' | 'holder' | 'inbox' | 'verify' | 'restore' | 'keepsFiles'>,
    AsyncDisposable
{
  /** Any machine that reaches the database can go on with its sessions. */
  readonly keepsFiles = true
  readonly #pool: pg.Pool
  readonly #ownsPool: boolean
  readonly #database: Database
  readonly #hints: Hints
  readonly #options: Required<Pick<PostgresSessionStoreOptions, 'tenant' | 'leaseMs' | 'pollMs' | 'time'>>
  readonly #processes: Processes | undefined
  #closed: Promise<void> | undefined

  /** `where` is an address such as `postgres://user@host/database`, or a pool that the program has already. */
  constructor(where: string | PostgresPool, options: PostgresSessionStoreOptions = {}) {
    const { schema = 'loader', leaseMs = 30_000, migrates = true } = options
    if (!nameOfSchema.test(schema)) {
      const message = `${JSON.stringify(schema)} cannot name the schema: use lower-case letters, digits and _, at most 63.`
      throw new LoaderError('invalid_config', message)
    }
    if (options.tenant !== undefined) requireName(options.tenant)
    requireTimes(options)
    if (typeof where !== 'string') requirePool(where)
    const { timeoutMs = leaseMs / 3, tenant = 'default', pollMs = 500, time = systemTime } = options
    this.#ownsPool = typeof where === 'string'
    this.#pool = typeof where === 'string' ? poolAt(where) : (where as pg.Pool)
    this.#options = { tenant, leaseMs, pollMs, time }
    this.#processes = options.processes
    this.#database = new Database({
      pool: this.#pool,
      schema,
      timeoutMs,
      time,
      prepare: migrates ? migrate : requireSchema,
    })
    this.#hints = new Hints(this.#pool, { schema, listenAt: options.listenAt, time: inBackground(time) })
    keepInside(this, { database: this.#database, tenant, processes: options.processes })
  }

  /** Makes the tables, or brings them up to date. */
  async migrate(): Promise<void> {
    await migrate(this.#database)
  }

  async claim(id: string, options: ClaimOptions): Promise<Claim> {
    const parts = { ...this.#options, database: this.#database, processes: this.#processes }
    const onStored = () => this.#hints.give(id)
    return this.#changing(`claim session ${id}`, () => claimSession({ ...parts, onStored }, id, options))
  }

  async *read(id: string, { fromSeq = 1 }: ReadOptions = {}): AsyncGenerator<StoredEvent> {
    try {
      const { place, standing } = await this.#find(id)
      yield* eventsBetween(this.#database, place, { first: Math.max(fromSeq, 1), last: standing.headSeq })
    } catch (error) {
      throw storageError(error, `read session ${id}`, { reads: true })
    }
  }

  async readBlob(id: string, blob: string): Promise<string> {
    return this.#reading(`read session ${id}`, async () => {
      const { place, standing } = await this.#find(id)
      const { rows } = await this.#database.run(readBlob, [place.tenant, place.key, nameOfBlob(standing.id, blob)])
      return textOfBlob(standing.id, blob, rows[0]?.['bytes'])
    })
  }

  async list(query: ListQuery = {}): Promise<SessionPage> {
    return this.#reading('list the sessions', () => listSessions(this.#database, this.#options.tenant, query))
  }

  async delete(id: string): Promise<void> {
    await this.#changing(`delete session ${id}`, async () => {
      for (;;) {
        const { place, standing } = await this.#find(id)
        if (!isFree(standing, this.#processes)) throw busy(standing)
        const { epoch, headSeq } = standing
        const seen = [epoch, headSeq, isDead(standing, this.#processes)] as const
        const { rows } = await this.#database.run(deleteSession, [place.tenant, place.key, ...seen])
        if (rows.length > 0) return
        // Another process changed the session in between: it is looked at again as it is now.
      }
    })
  }

  async fork(id: string, atSeq: number | undefined, { environment, id: newId }: ForkOptions): Promise<Fork> {
    const forkId = newId ?? environment.newId('ses')
    return this.#changing(`fork session ${id}`, async () => {
      const { place, standing } = await this.#find(id)
      const origin = { ...place, id: standing.id, headSeq: standing.headSeq }
      return forkSession(this.#database, origin, { atSeq, id: forkId, at: environment.now() })
    })
  }

  async restore(history: WholeHistory): Promise<void> {
    const { id } = history
    const place = placeOf(this.#options.tenant, id)
    await this.#changing(`restore session ${id}`, () => restoreSession(this.#database, place, history))
    this.#hints.give(id)
  }

  watch(id: string, fromSeq = 1, { signal }: WatchOptions = {}): AsyncIterableIterator<WatchItem> {
    const place = placeOf(this.#options.tenant, id)
    const onHint = (tell: () => void) => this.#hints.onHint(id, tell)
    return watchSession(
      { database: this.#database, place, id, pollMs: this.#options.pollMs, time: this.#options.time, onHint },
      fromSeq,
      signal as AbortSignal | undefined,
    )
  }

  /** Messages for the process that holds the session, on any machine. Copies of the session do not include them. */
  inbox(id: string): Inbox {
    return databaseInbox(this.#database, placeOf(this.#options.tenant, id), id)
  }

  async holder(id: string): Promise<Owner | null> {
    return this.#reading(`look at session ${id}`, async () =>
      currentHolder((await this.#find(id)).standing, this.#processes),
    )
  }

  async verify(id: string): Promise<Verification> {
    return this.#reading(`verify session ${id}`, async () => {
      const { place, standing } = await this.#find(id)
      return verifySession(this.#database, place, standing)
    })
  }

  /** Lets go of the connections; again, it does nothing. Sessions that are still held are held until their leases are over. */
  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    await this.#hints.close()
    if (this.#ownsPool) await this.#pool.end()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #find(id: string): Promise<{ readonly place: RowPlace; readonly standing: HolderStanding }> {
    const place = placeOf(this.#options.tenant, id)
    const standing = await standingAt(this.#database, place)
    if (standing === undefined || standing.headSeq === 0) throw notFound(id)
    return { place, standing }
  }

  async #reading<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw storageError(error, what, { reads: true })
    }
  }

  async #changing<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw storageError(error, what)
    }
  }
}

/** Halves of surrogate pairs all arrive as one character, so two tenants would be one. */
function requireName(tenant: string): void {
  if (!/[\0\p{Surrogate}]/u.test(tenant)) return
  const message = 'The name of a tenant cannot hold a NUL character, nor half of a surrogate pair.'
  throw new LoaderError('invalid_config', message)
}

/** Times that are none would end every wait at once; a lease without an end would hold a session for ever. */
function requireTimes({ leaseMs, timeoutMs, pollMs }: PostgresSessionStoreOptions): void {
  for (const [name, ms] of Object.entries({ leaseMs, timeoutMs, pollMs })) {
    if (ms === undefined || (typeof ms === 'number' && ms > 0 && (name !== 'leaseMs' || ms < Infinity))) continue
    throw new LoaderError('invalid_config', `${name} has to be a number of milliseconds above 0, and is ${String(ms)}.`)
  }
}

/** A program without types may give what is none, such as a variable that is not set. */
function requirePool(where: unknown): void {
  if (typeof where === 'object' && where !== null && 'connect' in where) return
  const what = typeof where === 'object' && where !== null ? 'another object' : String(where)
  const message = `The store needs an address such as postgres://user@host/database, or a Pool of pg, and was given ${what}.`
  throw new LoaderError('invalid_config', message)
}

/**
 * A statement of which the last message was lost keeps its row locked until the server notices that its client is gone,
 * which by itself takes hours. So it looks after 5 seconds of silence, three times.
 */
const noticeEnds = 'set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3'

/** Idle connections keep no process alive. */
function poolAt(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, application_name: 'loader', allowExitOnIdle: true })
  // A connection that breaks while it is idle is replaced by the next one.
  pool.on('error', () => {})
  // The answer is not awaited here: the next statement on the connection waits for it.
  pool.on('connect', (client) => void client.query(noticeEnds).catch(() => {}))
  return pool
}
