import { LoaderError } from '@loader/session-core'
import { createHash } from 'node:crypto'
import type { ClientBase, Pool, PoolClient, QueryResult as DriverResult } from 'pg'
import { sqlStateOf, takesNoWrites, Unreached } from './failure.ts'
import { pause, type Time } from './time.ts'

/** A statement with `$schema` where the name of the schema goes. The same text is the same statement. */
export interface Statement {
  readonly name: string
  readonly text: string
}

export type StatementValues = readonly (string | number | boolean | Uint8Array | null)[]
type Row = Readonly<Record<string, unknown>>
export type QueryResult = Pick<DriverResult<Row>, 'rows' | 'rowCount'>
export type RunStatement = (statement: Statement, values: StatementValues) => Promise<QueryResult>

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

  async run(statement: Statement, values: StatementValues): Promise<QueryResult> {
    await this.#prepared()
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#onClient((client) => this.#answer(this.#queryByName(client, statement, values)))
      } catch (error) {
        if (!isConflict(error) || tries === mostTries) throw error
        await pause(this.#options.time, tries)
      }
    }
  }

  /** Several statements as one. Nothing of them stays when `work` throws. */
  async transaction<Result>(work: (run: RunStatement) => Promise<Result>): Promise<Result> {
    await this.#prepared()
    return this.bare(work)
  }

  /** One statement without values, without looking at the schema first: for what looks at it. */
  ask(statement: Statement): Promise<QueryResult> {
    return this.#onClient((client) => this.#answer(this.#query(client, statement, [])))
  }

  /** Several statements, without looking at the schema first: for what makes it. */
  bare<Result>(work: (run: RunStatement) => Promise<Result>): Promise<Result> {
    return this.#onClient(async (client) => {
      await this.#answer(client.query('begin isolation level read committed'))
      try {
        const result = await work((statement, values) => this.#answer(this.#query(client, statement, values)))
        await this.#answer(client.query('commit'))
        return result
      } catch (error) {
        // A server that gave no answer is not asked for another: it takes everything back when the connection ends.
        if (LoaderError.is(error) || sqlStateOf(error) !== undefined) {
          await this.#answer(client.query('rollback')).catch(() => {})
        }
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

  async #queryByName(client: ClientBase, statement: Statement, values: StatementValues): Promise<QueryResult> {
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
  #query(client: ClientBase, statement: Statement, values: StatementValues): Promise<QueryResult> {
    return client.query<Row>({ text: this.#textOf(statement).text, values: [...values] })
  }

  /** Named after its content: another version's statement of the same name is another one. */
  #textOf({ name, text }: Statement): { readonly name: string; readonly text: string } {
    const known = this.#texts.get(name)
    if (known !== undefined) return known
    // In quotes, because words of SQL are names as well: `select`, `user`.
    const filled = text.replaceAll('$schema', `"${this.schema}"`)
    const hash = createHash('sha256').update(filled).digest('hex').slice(0, 16)
    const made = { name: `loader_${name}_${hash}`, text: filled }
    this.#texts.set(name, made)
    return made
  }

  async #onClient<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#connect()
    let isOver = false
    // A connection that breaks now rejects the running statement; without a listener its error would end the process.
    let end: unknown
    const onEnd = (error: unknown) => (end ??= error)
    client.on('error', onEnd)
    try {
      const result = await work(client)
      isOver = true
      return result
    } catch (error) {
      isOver = sqlStateOf(error) !== undefined && !takesNoWrites(error)
      // Between two statements of a transaction the server may say why it ends the connection; the next one only finds it ended.
      throw isOver || sqlStateOf(end) === undefined ? error : end
    } finally {
      client.off('error', onEnd)
      // A connection that never answered may still do so, to the next statement: so it is closed.
      client.release(!isOver)
    }
  }

  async #connect(): Promise<PoolClient> {
    const { pool } = this.#options
    if (pool.ending) {
      throw new LoaderError('storage_refused', 'The pool of connections of this store was ended. Nothing was changed.')
    }
    const client = await this.#within('a connection', pool.connect(), (late) => late.release()).catch(
      (error: unknown) => {
        throw new Unreached(error)
      },
    )
    // One connection has the same two methods as a pool of them.
    if (typeof (client as Partial<PoolClient> | undefined)?.release === 'function') return client
    throw new LoaderError('invalid_config', 'The store was given something else than a Pool of pg, such as a Client.')
  }

  /** Each answer has its time; how many there are in a transaction does not matter. */
  #answer<Result>(work: Promise<Result>): Promise<Result> {
    return this.#within('an answer', work)
  }

  #within<Result>(what: string, work: Promise<Result>, onLate: (result: Result) => void = () => {}): Promise<Result> {
    const { timeoutMs, time } = this.#options
    return new Promise((resolve, reject) => {
      let isLate = false
      const stop = time.after(timeoutMs, () => {
        isLate = true
        reject(new Error(`the server gave no sign: ${what} took more than ${timeoutMs} ms`))
      })
      work.then(
        (result) => {
          if (isLate) return onLate(result)
          stop()
          resolve(result)
        },
        (error: unknown) => {
          stop()
          reject(error)
        },
      )
    })
  }
}

/** How often a statement is sent that conflicts with another one. */
const mostTries = 20

/**
 * The server took back what the statement did, because of another one at the same time: with nothing but statements of this
 * package only where its transactions are serializable, or repeatable reads, by default.
 */
function isConflict(error: unknown): boolean {
  const state = sqlStateOf(error)
  return state === '40001' || state === '40P01'
}

function isLostName(error: unknown): boolean {
  const state = sqlStateOf(error)
  return state === '26000' || state === '42P05'
}
