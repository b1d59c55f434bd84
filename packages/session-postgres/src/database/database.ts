import { LoaderError } from '@loader/session-core'
import { createHash } from 'node:crypto'
import type { ClientBase, Pool, PoolClient, QueryResult } from 'pg'
import { sqlStateOf, Unreached } from './failure.ts'
import type { Time } from './time.ts'

/** A statement with `$schema` where the name of the schema goes. The same text is the same statement. */
export interface Statement {
  readonly name: string
  readonly text: string
}

export type Values = readonly (string | number | boolean | Uint8Array | readonly string[] | null)[]
type Row = Readonly<Record<string, unknown>>
export type Answer = Pick<QueryResult<Row>, 'rows' | 'rowCount'>
export type Run = (statement: Statement, values: Values) => Promise<Answer>

export interface DatabaseOptions {
  readonly pool: Pool
  readonly schema: string
  /** How long an answer may take. */
  readonly timeoutMs: number
  readonly time: Time
  /** Looked at before the first statement. */
  readonly prepare: (database: Database) => Promise<void>
}

/** The connections of a store. One statement is one transaction, unless `transaction` says otherwise. */
export class Database {
  readonly schema: string
  readonly #options: DatabaseOptions
  readonly #texts = new Map<string, { readonly name: string; readonly text: string }>()
  #ready: Promise<void> | undefined
  /**
   * Statements are prepared by name, which saves their planning. A pooler that gives each transaction another connection
   * loses the names; then they go without.
   */
  #named = true

  constructor(options: DatabaseOptions) {
    this.#options = options
    this.schema = options.schema
  }

  async run(statement: Statement, values: Values): Promise<Answer> {
    await this.#prepared()
    return this.#onClient((client) => this.#queryByName(client, statement, values))
  }

  /** Several statements as one. Nothing of them stays when `work` throws. */
  async transaction<Result>(work: (run: Run) => Promise<Result>): Promise<Result> {
    await this.#prepared()
    return this.bare(work)
  }

  /** The same, without looking at the schema first: for what makes it. */
  bare<Result>(work: (run: Run) => Promise<Result>): Promise<Result> {
    return this.#onClient(async (client) => {
      await client.query('begin')
      try {
        const result = await work((statement, values) => this.#query(client, statement, values))
        await client.query('commit')
        return result
      } catch (error) {
        // Where this does not get through any more, the server takes everything back when the connection ends.
        await client.query('rollback').catch(() => {})
        throw error
      }
    })
  }

  #prepared(): Promise<void> {
    this.#ready ??= this.#options.prepare(this).catch((error: unknown) => {
      // The next call tries again.
      this.#ready = undefined
      throw error
    })
    return this.#ready
  }

  async #queryByName(client: ClientBase, statement: Statement, values: Values): Promise<Answer> {
    if (!this.#named) return this.#query(client, statement, values)
    const { name, text } = this.#textOf(statement)
    try {
      return await client.query<Row>({ name, text, values: [...values] })
    } catch (error) {
      if (!isLostName(error)) throw error
      // Both are said before anything ran.
      this.#named = false
      return this.#query(client, statement, values)
    }
  }

  /** Without a name: a lost one would end the transaction that it is asked for in. */
  #query(client: ClientBase, statement: Statement, values: Values): Promise<Answer> {
    return client.query<Row>({ text: this.#textOf(statement).text, values: [...values] })
  }

  /** Named after its content: another version's statement of the same name is another one. */
  #textOf({ name, text }: Statement): { readonly name: string; readonly text: string } {
    const known = this.#texts.get(name)
    if (known !== undefined) return known
    const filled = text.replaceAll('$schema', this.schema)
    const hash = createHash('sha256').update(filled).digest('hex').slice(0, 16)
    const made = { name: `loader_${name}_${hash}`, text: filled }
    this.#texts.set(name, made)
    return made
  }

  async #onClient<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#connect()
    let isOver = false
    // A connection that breaks while it is ours rejects what is under way; without a listener it would end the process.
    const ignore = () => {}
    client.on('error', ignore)
    try {
      const result = await this.#within('an answer', work(client))
      isOver = true
      return result
    } catch (error) {
      isOver = sqlStateOf(error) !== undefined
      throw error
    } finally {
      client.off('error', ignore)
      // One that never answered may still do so, to whoever asks next.
      client.release(!isOver)
    }
  }

  async #connect(): Promise<PoolClient> {
    const { pool } = this.#options
    if (pool.ending) {
      throw new LoaderError('storage_refused', 'The pool of connections of this store was ended. Nothing was changed.')
    }
    try {
      return await this.#within('a connection', pool.connect(), (late) => late.release())
    } catch (error) {
      throw new Unreached(error)
    }
  }

  async #within<Result>(
    what: string,
    work: Promise<Result>,
    onLate: (result: Result) => void = () => {},
  ): Promise<Result> {
    const { timeoutMs, time } = this.#options
    let stop = () => {}
    let isLate = false
    const timeout = new Promise<never>((_, reject) => {
      stop = time.after(timeoutMs, () => {
        isLate = true
        reject(new Error(`the server gave no sign: ${what} took more than ${timeoutMs} ms`))
      })
    })
    work.then(
      (result) => isLate && onLate(result),
      // Whoever still waits is told by the race.
      () => {},
    )
    try {
      return await Promise.race([work, timeout])
    } finally {
      stop()
    }
  }
}

function isLostName(error: unknown): boolean {
  const state = sqlStateOf(error)
  return state === '26000' || state === '42P05'
}
