import { LoaderError } from '@loader/session-core'
import type { TakenSession } from '@loader/session-postgres/dispatch'
import { errorText } from '../console/error-text.ts'
import { type Hand, runSession, type WorkerPorts } from './run-session.ts'

/** How a worker goes about its work. Times are in milliseconds. */
export interface WorkerOptions {
  /** How many sessions it works on at once. */
  readonly concurrency: number
  /** Within how long its sessions are given back after it was told to end. */
  readonly graceMs: number
  /** What it tells others of itself. */
  readonly about: object
}

/** What a supervisor wants to know. */
export interface WorkerHealth {
  readonly worker: string
  /** `ending` from the first signal on. */
  readonly state: 'working' | 'ending'
  /** Whether the database answered when it was asked last. */
  readonly reachesStore: boolean
  readonly sessions: readonly string[]
  readonly concurrency: number
}

/** How long it waits before it looks for work again. */
const pollMs = 500
/** How often it says that it is there, and for how long that holds. */
const presentMs = { every: 5_000, holds: 20_000 }
/** How long a session that it cannot work on is left to other workers. */
const refusedMs = 60_000
/**
 * The part of the grace time that is kept for the steps after a call was cut off: its processes end, its files are
 * observed, packed and stored, and the session is given back. At most half of the grace time.
 */
const settleMs = 10_000
/** How long, after the grace time, sessions not yet given back are waited for: no other worker has them until the lease ends. */
const lateMs = 15_000

/**
 * Takes sessions that have open work, and works on each for one shift.
 *
 * A session that has killed a worker before is worked on alone, so that it takes no other down with it: else the
 * others would be counted as killers too.
 */
export class Worker {
  readonly #ports: WorkerPorts
  readonly #options: WorkerOptions
  readonly #hands = new Map<string, Hand>()
  readonly #refused = new Map<string, number>()
  #isEnding = false
  #wake = () => {}
  /** Whether no more is taken until nothing is in hand. */
  #isDraining = false
  #reachesStore = true

  constructor(ports: WorkerPorts, options: WorkerOptions) {
    this.#ports = ports
    this.#options = options
  }

  get health(): WorkerHealth {
    return {
      worker: this.#ports.name,
      state: this.#isEnding ? 'ending' : 'working',
      reachesStore: this.#reachesStore,
      sessions: [...this.#hands.keys()],
      concurrency: this.#options.concurrency,
    }
  }

  /** Works until `end` is called. Resolves to whether every session was given back. */
  async run(): Promise<boolean> {
    const presence = setInterval(() => void this.#present(), presentMs.every)
    try {
      await this.#asked(() => this.#sayPresent())
      while (!this.#isEnding) await this.#oneLook()
      return await this.#giveAllBack()
    } finally {
      clearInterval(presence)
      await this.#ports.dispatch.absent(this.#ports.name).catch(() => undefined)
    }
  }

  /** No more sessions are taken; those in hand are given back. */
  end(): void {
    this.#isEnding = true
    this.#wake()
  }

  async #oneLook(): Promise<void> {
    const busy = [...this.#hands.values()].map(({ ended }) => ended)
    if (busy.length === 0) this.#isDraining = false
    if (this.#isDraining || busy.length >= this.#options.concurrency) return this.#until(Promise.race(busy))
    const { dispatch, name } = this.#ports
    const taken = await this.#asked(async () => {
      for (const { id, reason } of await dispatch.park()) this.#ports.say(`parked ${id}: ${reason}`)
      return dispatch.take(name, { except: [...this.#hands.keys(), ...this.#refusedNow()] })
    })
    if (taken === undefined) return this.#until(undefined)
    if (taken.kills > 0) {
      this.#isDraining = true
      if (busy.length > 0) return this.#leave(taken)
    }
    const hand = runSession(taken, this.#ports)
    this.#hands.set(taken.id, hand)
    void hand.ended.then((how) => {
      this.#hands.delete(taken.id)
      if (how === 'refused') this.#refused.set(taken.id, performance.now() + refusedMs)
    })
  }

  async #leave({ id }: TakenSession): Promise<void> {
    const { dispatch, name } = this.#ports
    await this.#asked(() => dispatch.leave(name, id))
  }

  /** The result of a query; undefined while the database does not answer, which is reported once. */
  async #asked<Result>(ask: () => Promise<Result>): Promise<Result | undefined> {
    try {
      const result = await ask()
      this.#reachesStore = true
      return result
    } catch (error) {
      if (!LoaderError.is(error)) throw error
      if (error.code === 'format_newer' || error.code === 'invalid_config') throw error
      if (this.#reachesStore) this.#ports.say(`waits for the database: ${errorText(error)}`)
      this.#reachesStore = false
      return undefined
    }
  }

  #refusedNow(): readonly string[] {
    const now = performance.now()
    for (const [id, until] of this.#refused) if (until <= now) this.#refused.delete(id)
    return [...this.#refused.keys()]
  }

  /** Waits a moment, or for this, or for the end. */
  async #until(work: Promise<unknown> | undefined): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve
      if (work === undefined) timer = setTimeout(resolve, pollMs * (0.75 + Math.random() / 2))
      if (this.#isEnding) resolve()
    })
    await Promise.race(work === undefined ? [woken] : [woken, work])
    clearTimeout(timer)
  }

  async #giveAllBack(): Promise<boolean> {
    const { graceMs } = this.#options
    const hands = [...this.#hands.values()]
    for (const { pause } of hands) pause(false)
    const cut = setTimeout(() => hands.forEach(({ pause }) => pause(true)), Math.max(graceMs - settleMs, graceMs / 2))
    let last: NodeJS.Timeout | undefined
    const tooLate = new Promise<'too late'>((resolve) => {
      last = setTimeout(() => resolve('too late'), graceMs + lateMs)
    })
    const all = Promise.all(hands.map(({ ended }) => ended))
    const how = await Promise.race([all, tooLate])
    clearTimeout(cut)
    clearTimeout(last)
    return how !== 'too late'
  }

  async #sayPresent(): Promise<void> {
    const { dispatch, name } = this.#ports
    await dispatch.present(name, { ...this.#options.about, sessions: this.#hands.size }, presentMs.holds)
  }

  async #present(): Promise<void> {
    if (!this.#isEnding) await this.#asked(() => this.#sayPresent())
  }
}
