import { SessionRow } from '@loader/session-core'
import type { Statement, StatementValues } from '../database/database.ts'
import { storageError } from '../database/failure.ts'
import { type Inside, insideOf } from '../inside.ts'
import { isDead, standingOf } from '../stored/holder.ts'
import { placeOf } from '../stored/place.ts'
import type { PostgresSessionStore } from '../store.ts'
import * as statements from './statements.ts'

/** A session that a worker was given to look at. Until it claims the session, it holds nothing. */
export interface TakenSession {
  readonly id: string
  /** How many workers in a row have ended while they had it. */
  readonly kills: number
}

/** A session that was parked, and why. */
export interface ParkedSession {
  readonly id: string
  readonly reason: string
}

/** A worker, as it describes itself. */
export interface FleetWorker {
  readonly id: string
  /** What it says of itself: any JSON. */
  readonly about: unknown
  readonly isThere: boolean
  /** Seconds since its presence ran out; 0 while it is there. */
  readonly goneFor: number
}

/** Where a session in line stands: it can be taken, a worker has it, an answer is needed, or it is parked. */
export type Standing = 'queued' | 'running' | 'waiting' | 'parked'

/** A session in line. */
export interface FleetSession {
  readonly id: string
  readonly row: SessionRow | undefined
  readonly standing: Standing
  /** The worker that has it. */
  readonly worker: string | undefined
  /** Seconds until its lease is over, unless it is renewed; undefined if it has no holder. */
  readonly leaseLeft: number | undefined
  /** Seconds since it joined the line, or was given back. */
  readonly waitsFor: number
  readonly kills: number
  /** Why it is parked, what it waits for, or why a worker left it. */
  readonly reason: string | undefined
}

/** How a session was left by a worker that still holds it. */
export type Settlement =
  /** Nothing is open. */
  | { readonly kind: 'done' }
  /** Work is left. `last` puts it behind the others. */
  | { readonly kind: 'open'; readonly last: boolean }
  /** Nothing can be done until something is added to the session. */
  | { readonly kind: 'waiting'; readonly reason: string }
  /** The worker failed at it, which counts as a kill. */
  | { readonly kind: 'failed'; readonly reason: string }

/** Settings of a dispatch. */
export interface DispatchOptions {
  /** A session that has killed so many workers in a row is parked. */
  readonly mostKills?: number
  /** How long others leave a session alone that a worker was given and has not claimed yet, in milliseconds. */
  readonly takeMs?: number
}

/**
 * Which worker looks at which session next, over the rows that are there anyway: `for update skip locked`, no second queue.
 *
 * Invariants:
 * 1. Only the claim decides which process may write to a session. A worker that was given a session and cannot claim it has
 *    nothing, so an error here costs one attempt, and never data.
 * 2. What is offered stays in line until a worker that holds the session says that nothing is open. It is offered by a
 *    holder before it stores what is to be done, so no stored work is without its place in line.
 * 3. A waiting session can be taken as soon as it has an event that no worker has looked at, from any writer.
 */
export class Dispatch {
  readonly #inside: Inside
  readonly #mostKills: number
  readonly #takeMs: number

  constructor(store: PostgresSessionStore, { mostKills = 3, takeMs = 5_000 }: DispatchOptions = {}) {
    this.#inside = insideOf(store)
    this.#mostKills = mostKills
    this.#takeMs = takeMs
  }

  /** Puts a session in line. `epoch` is that of the caller's claim. False if the caller does not hold it any more. */
  async offer(id: string, epoch: number): Promise<boolean> {
    return (await this.#change(`offer session ${id}`, statements.offer, [this.#key(id), epoch])) > 0
  }

  /**
   * The session to look at next; undefined if there is none. Until the worker leaves or settles it, its own end counts as
   * one that the session has caused.
   */
  async take(
    worker: string,
    { except = [] }: { readonly except?: readonly string[] } = {},
  ): Promise<TakenSession | undefined> {
    const keys = except.map((id) => this.#key(id)).join('\n')
    const values = [worker, keys, this.#mostKills, this.#takeMs]
    const [next] = await this.#rows('take a session', statements.takeNext, values)
    return next === undefined ? this.#takeFromDead(worker, keys) : takenOf(next)
  }

  /** A worker is still about to begin with a session that it was given; false if that is over. */
  async keep(worker: string, id: string): Promise<boolean> {
    const values = [worker, this.#key(id), this.#takeMs]
    return (await this.#change(`keep session ${id}`, statements.keep, values)) > 0
  }

  /** A worker leaves a session that it was given and has not begun, and says why. This does not count as a kill. */
  async leave(worker: string, id: string, reason: string | null = null): Promise<void> {
    await this.#change(`leave session ${id}`, statements.leave, [worker, this.#key(id), reason])
  }

  /** A worker has claimed the session that it was given. False if it does not hold it any more. */
  async begin(worker: string, id: string, epoch: number): Promise<boolean> {
    return (await this.#change(`begin with session ${id}`, statements.begin, [this.#key(id), epoch, worker])) > 0
  }

  /** The holder says how it leaves the session, before it releases it. False if it does not hold it any more. */
  async settle(id: string, epoch: number, how: Settlement): Promise<boolean> {
    const ours = [this.#key(id), epoch] as const
    const change = (statement: Statement, values: StatementValues) =>
      this.#change(`settle session ${id}`, statement, values)
    switch (how.kind) {
      case 'done':
        return (await change(statements.done, ours)) > 0
      case 'open':
        return (await change(statements.giveBack, [...ours, how.last])) > 0
      case 'waiting':
        return (await change(statements.awaitAnswer, [...ours, how.reason])) > 0
      case 'failed':
        return (await change(statements.giveBackFailed, [...ours, how.reason])) > 0
      default:
        return how satisfies never
    }
  }

  /** Parks the sessions that have killed too many workers. Each is returned once. */
  async park(): Promise<readonly ParkedSession[]> {
    const rows = await this.#rows('park sessions', statements.park, [this.#mostKills])
    return rows.map((row) => ({ id: String(row['id']), reason: String(row['parked']) }))
  }

  /** Lets a parked session be taken again; false if it is not parked. */
  async unpark(id: string): Promise<boolean> {
    return (await this.#change(`unpark session ${id}`, statements.unpark, [this.#key(id)])) > 0
  }

  /** A worker says that it is there, and what it is, for so many milliseconds. */
  async present(worker: string, about: unknown, forMs: number): Promise<void> {
    await this.#change('note a worker', statements.present, [worker, JSON.stringify(about), forMs])
  }

  /** A worker says that it is gone. Also removes workers that have not reported for a day. */
  async absent(worker: string): Promise<void> {
    await this.#change('note the end of a worker', statements.absent, [worker])
  }

  /** The workers, and the sessions in line, those first that joined it first. */
  async fleet({ limit = 1_000 }: { readonly limit?: number } = {}): Promise<{
    readonly workers: readonly FleetWorker[]
    readonly sessions: readonly FleetSession[]
  }> {
    const workers = await this.#rows('list the workers', statements.workers, [])
    const sessions = await this.#rows('list the sessions in line', statements.line, [limit])
    return { workers: workers.map(workerOf), sessions: sessions.map(sessionOf) }
  }

  /** If the holder was a process of this machine and has ended, its session is free before its lease ends. */
  async #takeFromDead(worker: string, except: string): Promise<TakenSession | undefined> {
    const { processes } = this.#inside
    if (processes === undefined) return undefined
    for (const row of await this.#rows('take a session', statements.held, [except])) {
      const standing = standingOf(row)
      if (Number(row['kills']) >= this.#mostKills || !isDead(standing, processes)) continue
      const values = [String(row['key']), standing.epoch, worker, this.#takeMs]
      const [taken] = await this.#rows('take a session', statements.takeFromDead, values)
      if (taken !== undefined) return takenOf(taken)
    }
    return undefined
  }

  #key(id: string): string {
    return placeOf(this.#inside.tenant, id).key
  }

  async #rows(what: string, statement: Statement, values: StatementValues): Promise<readonly Row[]> {
    const { database, tenant } = this.#inside
    try {
      return (await database.run(statement, [tenant, ...values])).rows
    } catch (error) {
      throw storageError(error, what)
    }
  }

  async #change(what: string, statement: Statement, values: StatementValues): Promise<number> {
    const { database, tenant } = this.#inside
    try {
      return (await database.run(statement, [tenant, ...values])).rowCount ?? 0
    } catch (error) {
      throw storageError(error, what)
    }
  }
}

type Row = Readonly<Record<string, unknown>>

function takenOf(row: Row): TakenSession {
  return { id: String(row['id']), kills: Number(row['kills']) - 1 }
}

function workerOf(row: Row): FleetWorker {
  const isThere = row['is_there'] === true
  const goneFor = isThere ? 0 : Number(row['gone_for'])
  return { id: String(row['id']), about: JSON.parse(String(row['about'])), isThere, goneFor }
}

function sessionOf(row: Row): FleetSession {
  const worker = row['taken_by']
  const isRunning = row['is_held'] === true && row['holds'] === true
  const standing =
    row['parked'] !== null ? 'parked' : isRunning ? 'running' : row['is_open'] === true ? 'queued' : 'waiting'
  const summary = typeof row['row'] === 'string' ? SessionRow.safeParse(JSON.parse(row['row'])).data : undefined
  return {
    id: String(row['id']),
    row: summary,
    standing,
    worker: isRunning && typeof worker === 'string' ? worker : undefined,
    leaseLeft: isRunning ? Number(row['lease_left']) : undefined,
    waitsFor: Number(row['waits_for']),
    kills: Number(row['kills']),
    reason: reasonOf(row['parked'] ?? row['note']),
  }
}

function reasonOf(text: unknown): string | undefined {
  return typeof text === 'string' ? text : undefined
}
