import {
  type BlobStore,
  type DurabilityLevel,
  LoaderError,
  type SessionState,
  type SessionWriter,
  type StoredEvent,
  summarize,
} from '@loader/session-core'
import { randomUUID } from 'node:crypto'
import type { Database, Statement, Values } from '../database/database.ts'
import { failureOf, messageOf, told } from '../database/failure.ts'
import { inBackground, pause, type Time } from '../database/time.ts'
import { blobOf, nameOfBlob, textOfBlob } from '../stored/blobs.ts'
import { standingOf } from '../stored/holder.ts'
import type { Place } from '../stored/place.ts'
import { readBlob, standing } from '../stored/statements.ts'
import { Lease } from './lease.ts'
import { whyFenced } from './fenced.ts'
import * as statements from './statements.ts'

export interface WriterParts {
  readonly database: Database
  readonly place: Place
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
  /** Called when something was stored. */
  readonly onStored: () => void
}

interface Queued {
  readonly bodies: readonly string[]
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** So much is sent at once; what is queued behind it waits. */
const mostAtOnce = 4 * 1024 * 1024
/** Between two tries to reach a database that does not answer. */
const pauseMs = 50

/**
 * The one writer of a session in the database.
 *
 * Invariants:
 * 1. One statement at a time changes the session, and names the token of this claim, the last seq that was known, and a
 *    lease that is not over. So it takes effect once, behind what was there, or not at all.
 * 2. An append is acknowledged after the database has said that it is committed. Where the answer was lost, the token is
 *    changed, which waits for the statement or keeps it out, and then the last seq says what became of it.
 * 3. What the database has refused left nothing behind; with it goes everything that was enqueued behind it.
 * 4. Nothing is begun after the lease is over as this process counts it, or after an end that nobody knows.
 */
export class PostgresSessionWriter implements SessionWriter {
  readonly id: string
  readonly blobs: BlobStore
  readonly #parts: WriterParts
  readonly #lease: Lease
  #epoch: number
  #token: string
  /** What the token is being changed to. */
  #nextToken: string | undefined
  #storedSeq: number
  /** The last event that this writer has stored. */
  #lastBody: string | undefined
  #enqueuedSeq: number
  #queue: Queued[] = []
  #tail: Promise<unknown> = Promise.resolve()
  #poison: LoaderError | undefined
  #released: Promise<void> | undefined

  constructor(parts: WriterParts) {
    const { id, epoch, token, headSeq, leaseMs, since } = parts
    const time = inBackground(parts.time)
    this.id = id
    this.#epoch = epoch
    this.#parts = parts
    this.#token = token
    this.#storedSeq = headSeq
    this.#enqueuedSeq = headSeq
    this.#lease = new Lease({ id, leaseMs, time, renew: () => this.#renew() }, since)
    this.blobs = { put: (text) => this.#putBlob(text), get: (blob) => this.#getBlob(blob) }
  }

  get epoch(): number {
    return this.#epoch
  }

  /** A recording that was made elsewhere brings claims of its own: this one has to be above them. */
  async goAbove(epoch: number): Promise<void> {
    if (epoch < this.#epoch) return
    await this.#change('claim', statements.setEpoch, [epoch + 1])
    this.#epoch = epoch + 1
  }

  /** Aborted when the session may be somebody else's. What works for it stops then. */
  get lost(): AbortSignal {
    return this.#lease.lost
  }

  append(events: readonly StoredEvent[], _level: DurabilityLevel): Promise<void> {
    const obstacle = this.#obstacle() ?? this.#misplaced(events)
    if (obstacle) return Promise.reject(obstacle)
    if (events.length === 0) return this.#tail.then(() => undefined)
    // Written down now, so that it does not matter what the caller does with the events afterwards.
    const bodies = events.map((event) => JSON.stringify(event))
    this.#enqueuedSeq += events.length
    return new Promise((resolve, reject) => {
      this.#queue.push({ bodies, resolve, reject })
      if (this.#queue.length === 1) void this.#alone(() => this.#commit())
    })
  }

  save(state: SessionState, { index = true }: { readonly index?: boolean } = {}): Promise<void> {
    const obstacle = this.#obstacle()
    if (obstacle) return Promise.reject(obstacle)
    const row = index ? summarize(state) : undefined
    const saved = [JSON.stringify(state), state.seq] as const
    return this.#alone(async () => {
      this.#requireStored(state.seq)
      // Where nothing changes, a newer state is there.
      await (row === undefined
        ? this.#change('save the state of', statements.saveState, saved)
        : this.#change('save the state of', statements.saveStateAndRow, [...saved, JSON.stringify(row), row.updatedAt]))
    })
  }

  release(): Promise<void> {
    this.#released ??= this.#alone(async () => {
      this.#lease.end()
      const tokens = [this.#token, this.#nextToken ?? this.#token] as const
      const free = () => this.#run(statements.release, tokens)
      try {
        await free().catch((error: unknown) => (failureOf(error) === 'lost' ? free() : Promise.reject(error)))
      } catch (error) {
        // Nothing depends on it but the time until somebody else may go on: the lease ends by itself.
        if (failureOf(error) === 'refused') throw told(error, `give session ${this.id} free`)
      }
    })
    return this.#released
  }

  #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#tail.then(work)
    // Whoever asked is told by the result; the next in line only has to wait for it.
    this.#tail = result.catch(() => undefined)
    return result
  }

  async #commit(): Promise<void> {
    while (this.#queue.length > 0) {
      const group = this.#nextGroup()
      try {
        this.#requireSound()
        await this.#store(group.flatMap(({ bodies }) => bodies))
        this.#queue.splice(0, group.length)
        for (const { resolve } of group) resolve()
        this.#parts.onStored()
      } catch (error) {
        this.#giveBack(LoaderError.is(error) ? error : this.#poisoned(error))
      }
    }
  }

  #nextGroup(): readonly Queued[] {
    let size = 0
    const end = this.#queue.findIndex(({ bodies }, index) => {
      size += bodies.reduce((sum, body) => sum + body.length, 0)
      return index > 0 && size > mostAtOnce
    })
    return end < 0 ? [...this.#queue] : this.#queue.slice(0, end)
  }

  /** Stores events behind the last one, once, whatever becomes of the connection meanwhile. */
  async #store(bodies: readonly string[]): Promise<void> {
    const before = this.#storedSeq
    const [body] = bodies
    for (;;) {
      const since = this.#parts.time.now()
      const start = [this.#token, before, this.#parts.leaseMs] as const
      try {
        const { rowCount } =
          bodies.length === 1 && body !== undefined
            ? await this.#run(statements.appendOne, [...start, body])
            : await this.#run(statements.append, [...start, bodies])
        if (rowCount !== bodies.length) throw (await this.#whyNot()) ?? this.#disagrees()
        this.#stored(bodies)
        return this.#lease.renewed(since)
      } catch (error) {
        const failure = LoaderError.is(error) ? 'refused' : failureOf(error)
        if (failure === 'lost') {
          if (!(await this.#isStored(bodies, error))) continue
          return this.#stored(bodies)
        }
        if (failure !== 'unreached' || this.#lease.left <= 0) throw told(error, `write to session ${this.id}`)
      }
      await pause(this.#parts.time, pauseMs)
    }
  }

  #stored(bodies: readonly string[]): void {
    this.#storedSeq += bodies.length
    this.#lastBody = bodies.at(-1)
  }

  /** Whether what was sent took effect. When this is told, it will not do so any more. */
  async #isStored(bodies: readonly string[], lost: unknown): Promise<boolean> {
    const next = (this.#nextToken = randomUUID())
    while (this.#lease.left > 0) {
      try {
        const { rows } = await this.#run(statements.settle, [this.#token, next])
        const [row] = rows
        if (row === undefined) return await this.#wasStored(bodies, lost)
        this.#token = next
        if (Number(row['head_seq']) === this.#storedSeq + bodies.length) return true
        if (row['holds'] !== true) throw (await this.#whyNot()) ?? this.#disagrees()
        return false
      } catch (error) {
        // Also where the server refuses to say (it waited for too long, or has no connection left), it may do so later.
        if (LoaderError.is(error)) throw error
      }
      await pause(this.#parts.time, pauseMs)
    }
    throw this.#poisoned(lost)
  }

  /**
   * The session is somebody else's by now, and what was sent is there or will never be. Unless it was there and was
   * deleted: under the name of the session another one may lie, with claims that are counted alike.
   */
  async #wasStored(bodies: readonly string[], lost: unknown): Promise<boolean> {
    const { rows } = await this.#run(statements.storedBodies, [this.#storedSeq, bodies.length + 1])
    const behind = rows.filter(({ seq }) => Number(seq) > this.#storedSeq)
    const isOurs = (body: string, index: number) =>
      behind[index]?.['body'] === body && Number(behind[index]['epoch']) === this.epoch
    if (bodies.every(isOurs)) return true
    const isSameSession = this.#lastBody !== undefined && rows[0]?.['body'] === this.#lastBody
    throw (isSameSession && (await this.#whyNot())) || this.#poisoned(lost)
  }

  /** A change that may be made twice: it sets what was there to the same. False where the database saw nothing to change. */
  async #change(what: string, statement: Statement, values: Values): Promise<boolean> {
    for (;;) {
      this.#requireSound()
      try {
        const { rowCount } = await this.#run(statement, [this.#token, ...values])
        if (rowCount !== 0) return true
        const reason = await this.#whyNot()
        if (reason !== undefined) throw reason
        return false
      } catch (error) {
        const failure = LoaderError.is(error) ? 'refused' : failureOf(error)
        if (failure === 'lost' && this.#lease.left <= 0) throw this.#poisoned(error)
        if (failure === 'refused' || failure === 'full' || this.#lease.left <= 0) {
          throw told(error, `${what} session ${this.id}`)
        }
      }
      await pause(this.#parts.time, pauseMs)
    }
  }

  async #putBlob(text: string): Promise<{ readonly blob: string; readonly bytes: number }> {
    const obstacle = this.#obstacle()
    if (obstacle) throw obstacle
    const { name, bytes, length } = blobOf(text)
    await this.#alone(async () => {
      if (!(await this.#change('keep a long text of', statements.putBlob, [name, bytes]))) throw this.#disagrees()
    })
    return { blob: name, bytes: length }
  }

  async #getBlob(blob: string): Promise<string> {
    try {
      const { rows } = await this.#run(readBlob, [nameOfBlob(this.id, blob)])
      return textOfBlob(this.id, blob, rows[0]?.['bytes'])
    } catch (error) {
      throw told(error, `read a long text of session ${this.id}`, { reads: true })
    }
  }

  async #renew(): Promise<boolean> {
    const { rowCount } = await this.#run(statements.renew, [this.#token, this.#parts.leaseMs])
    if (rowCount === 0) this.#lookAgain()
    return rowCount === 1
  }

  /**
   * Who was displaced is told without waiting for the end of the lease. Asked behind what is being stored, because that may
   * just have changed the token; when nobody answers, the next renewal asks again.
   */
  #lookAgain(): void {
    const asked = this.#alone(async () => {
      const { rowCount } = await this.#run(statements.renew, [this.#token, this.#parts.leaseMs])
      if (rowCount === 0 && this.#released === undefined) await this.#whyNot()
    })
    asked.catch(() => undefined)
  }

  #run(statement: Statement, values: Values): ReturnType<Database['run']> {
    const { database, place } = this.#parts
    return database.run(statement, [place.tenant, place.key, ...values])
  }

  /** Why the database changed nothing; undefined when this claim holds. */
  async #whyNot(): Promise<LoaderError | undefined> {
    const { rows } = await this.#run(standing, [])
    const reason = whyFenced(this.id, rows[0] && standingOf(rows[0]), [this.#token, this.#nextToken])
    return reason === undefined ? undefined : this.#fenced(reason)
  }

  #fenced(message: string): LoaderError {
    const error = new LoaderError('writer_fenced', message)
    this.#poison ??= error
    this.#lease.lose(error)
    return error
  }

  #disagrees(): LoaderError {
    return this.#poisoned(new Error(`the database and this writer, which counts to ${this.#storedSeq}, disagree`))
  }

  /** Said of what was sent, also where it is known by now that the session is somebody else's. */
  #poisoned(error: unknown): LoaderError {
    const uncertain = new LoaderError(
      'storage_uncertain',
      `It is not known whether the last write to session ${this.id} is stored: ${messageOf(error)}. Load it again to see.`,
      { cause: error },
    )
    this.#poison ??= uncertain
    this.#lease.lose(uncertain)
    return uncertain
  }

  #giveBack(reason: LoaderError): void {
    const behind = this.#queue
    this.#queue = []
    this.#enqueuedSeq = this.#storedSeq
    for (const { reject } of behind) reject(reason)
  }

  #requireSound(): void {
    if (this.#poison) throw this.#poison
    if (this.#lease.lost.aborted) throw this.#lease.lost.reason
  }

  /** A state speaks of events; what was refused must not live on in it. */
  #requireStored(seq: number): void {
    if (seq <= this.#storedSeq) return
    const message = `The state at event ${seq} of session ${this.id} cannot be saved: its events end at ${this.#storedSeq}.`
    throw new LoaderError('impossible_event', message)
  }

  #obstacle(): LoaderError | undefined {
    if (this.#poison) return this.#poison
    if (this.#released !== undefined) {
      const message = `This writer of session ${this.id} was released. Claim the session again.`
      return new LoaderError('session_closed', message)
    }
    return this.#lease.lost.aborted ? (this.#lease.lost.reason as LoaderError) : undefined
  }

  #misplaced(events: readonly StoredEvent[]): LoaderError | undefined {
    const wrong = events.findIndex(({ seq }, index) => seq !== this.#enqueuedSeq + 1 + index)
    if (wrong < 0) return undefined
    const expected = this.#enqueuedSeq + 1 + wrong
    const message = `Event ${events[wrong]?.seq} cannot be stored in session ${this.id}: ${expected} comes next.`
    return new LoaderError('impossible_event', message)
  }
}
