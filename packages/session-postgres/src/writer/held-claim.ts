import { LoaderError } from '@loader/session-core'
import type { Database, Statement, StatementValues } from '../database/database.ts'
import { messageOf } from '../database/failure.ts'
import { inBackground, pause, type Time } from '../database/time.ts'
import { standingOf } from '../stored/holder.ts'
import type { RowPlace } from '../stored/place.ts'
import { standing } from '../stored/statements.ts'
import { whyFenced } from './fenced.ts'
import { Lease } from './lease.ts'
import * as statements from './statements.ts'

export interface ClaimParts {
  readonly database: Database
  readonly place: RowPlace
  /** As it was spelled when the session was made. */
  readonly id: string
  readonly epoch: number
  readonly token: string
  /** The last seq that is stored. */
  readonly headSeq: number
  readonly leaseMs: number
  /** When the claim was asked for. */
  readonly since: number
  readonly time: Time
}

/** Between two tries to reach a database that does not answer. */
const pauseMs = 50

/** A claim as its holder knows it: its token, its lease, and how far the session is stored. */
export class HeldClaim {
  readonly id: string
  readonly leaseMs: number
  readonly #parts: ClaimParts
  readonly #lease: Lease
  epoch: number
  token: string
  /** What the token is being changed to. */
  nextToken: string | undefined
  storedSeq: number
  /** The last event that this claim has stored. */
  lastBody: string | undefined
  /** Why this claim must write nothing more, once that is known. */
  #end: LoaderError | undefined

  /** `onNotRenewed` is called when the database has not renewed the lease, which may be because the token just changed. */
  constructor(parts: ClaimParts, onNotRenewed: () => void) {
    const { id, epoch, token, headSeq, leaseMs, since } = parts
    this.id = id
    this.leaseMs = leaseMs
    this.#parts = parts
    this.epoch = epoch
    this.token = token
    this.storedSeq = headSeq
    const renew = async () => {
      const isRenewed = await this.renew()
      if (!isRenewed) onNotRenewed()
      return isRenewed
    }
    this.#lease = new Lease({ id, leaseMs, time: inBackground(parts.time), renew }, since)
  }

  get lost(): AbortSignal {
    return this.#lease.lost
  }

  get hasTimeLeft(): boolean {
    return this.#lease.left > 0
  }

  now(): number {
    return this.#parts.time.now()
  }

  pause(): Promise<void> {
    return pause(this.#parts.time, pauseMs)
  }

  run(statement: Statement, values: StatementValues): ReturnType<Database['run']> {
    const { database, place } = this.#parts
    return database.run(statement, [place.tenant, place.key, ...values])
  }

  /** What was sent then took effect: with it the database has given a whole lease. */
  storedBy(since: number | undefined, bodies: readonly string[]): void {
    this.storedSeq += bodies.length
    this.lastBody = bodies.at(-1)
    if (since !== undefined) this.#lease.renewed(since)
  }

  async renew(): Promise<boolean> {
    const { rowCount } = await this.run(statements.renew, [this.token, this.leaseMs])
    return rowCount === 1
  }

  endLease(): void {
    this.#lease.end()
  }

  /** Why nothing may be begun under this claim. */
  get obstacle(): LoaderError | undefined {
    return this.#end ?? (this.lost.aborted ? (this.lost.reason as LoaderError) : undefined)
  }

  requireSound(): void {
    const { obstacle } = this
    if (obstacle) throw obstacle
  }

  /** Why the database changed nothing; undefined when this claim holds. */
  async whyNot(): Promise<LoaderError | undefined> {
    const { rows } = await this.run(standing, [])
    const tokens = [this.token, this.nextToken]
    const reason = whyFenced(this.id, rows[0] && standingOf(rows[0]), tokens)
    return reason === undefined ? undefined : this.#over(new LoaderError('writer_fenced', reason))
  }

  /** The error for a database that did not do as it was told, though this claim holds. */
  disagrees(): LoaderError {
    return this.uncertain(new Error(`the database and this writer, which counts to ${this.storedSeq}, disagree`))
  }

  /** The error for events sent with unknown outcome, also where another writer is known to have the session. */
  uncertain(error: unknown): LoaderError {
    const message = `It is not known whether the last write to session ${this.id} is stored: ${messageOf(error)}. Load it again to see.`
    return this.#over(new LoaderError('storage_uncertain', message, { cause: error }))
  }

  #over(error: LoaderError): LoaderError {
    this.#end ??= error
    this.#lease.lose(error)
    return error
  }
}
