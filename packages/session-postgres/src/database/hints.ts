import pg from 'pg'
import type { Time } from './time.ts'

/** How long hints are collected before they are given: each one costs a transaction. */
const collectMs = 50

/**
 * Tells watchers that there may be something new, by NOTIFY. Hints are given beside the statements that store, not
 * in them, because transactions that notify commit one after another. They may be lost, late or for nothing.
 */
export class Hints {
  readonly #pool: pg.Pool
  readonly #channel: string
  readonly #listenAt: string | undefined
  readonly #tells = new Map<string, Set<() => void>>()
  readonly #stored = new Set<string>()
  readonly #time: Time
  #stopSending: (() => void) | undefined
  #listener: Promise<pg.Client | undefined> | undefined
  #isClosed = false

  constructor(
    pool: pg.Pool,
    { schema, listenAt, time }: { readonly schema: string; readonly listenAt: string | undefined; readonly time: Time },
  ) {
    this.#time = time
    this.#pool = pool
    this.#channel = `${schema}_stored`
    this.#listenAt = listenAt
  }

  /** Something was stored in the session. */
  give(id: string): void {
    const key = id.toLowerCase()
    for (const tell of this.#tells.get(key) ?? []) tell()
    if (this.#listenAt === undefined || this.#isClosed) return
    this.#stored.add(key)
    this.#stopSending ??= this.#time.after(collectMs, () => this.#send())
  }

  /** Calls back at each hint about the session, until what it returns is called. */
  onHint(id: string, tell: () => void): () => void {
    const key = id.toLowerCase()
    const tells = this.#tells.get(key) ?? new Set()
    this.#tells.set(key, tells.add(tell))
    this.#listen()
    return () => {
      tells.delete(tell)
      if (tells.size === 0) this.#tells.delete(key)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopSending?.()
    await (await this.#listener)?.end()
  }

  #send(): void {
    this.#stopSending = undefined
    const ids = JSON.stringify([...this.#stored].slice(0, 100))
    this.#stored.clear()
    // Watchers look again anyhow, only later.
    this.#pool
      .query('select pg_catalog.pg_notify($1::pg_catalog.text, $2::pg_catalog.text)', [this.#channel, ids])
      .catch(() => {})
  }

  #listen(): void {
    if (this.#listenAt === undefined || this.#isClosed) return
    this.#listener ??= this.#connect(this.#listenAt).catch(() => {
      this.#listener = undefined
      return undefined
    })
  }

  async #connect(connectionString: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString, application_name: 'loader (listening)' })
    client.on('notification', ({ payload = '[]' }) => {
      for (const key of keysIn(payload)) for (const tell of this.#tells.get(key) ?? []) tell()
    })
    // The next watcher connects again.
    client.on('error', () => (this.#listener = undefined))
    await client.connect()
    await client.query(`listen ${this.#channel}`)
    return client
  }
}

function keysIn(payload: string): readonly string[] {
  try {
    const keys: unknown = JSON.parse(payload)
    return Array.isArray(keys) ? keys.map(String) : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}
