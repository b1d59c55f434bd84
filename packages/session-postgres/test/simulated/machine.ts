import type { SessionWriter } from '@loader/session-core'
import type { Processes, Time } from '../../src/index.ts'
import type { World } from './world.ts'

/** What a machine believes that it holds. */
export interface Held {
  readonly writer: SessionWriter & { readonly lost: AbortSignal }
  isOver: boolean
}

export class Died extends Error {}

/** A machine with a clock of its own, which can stand still for a while, or die. */
export class Machine {
  readonly pid: number
  readonly time: Time
  readonly held = new Map<string, Held>()
  /** How far its clock is from that of the database. */
  readonly skew: number
  isDead = false
  /** Until when nothing gets through between it and the database. */
  cutOffUntil = 0
  readonly #world: World
  readonly #death: Promise<never>
  #tellDeath: () => void = () => {}
  #pausedUntil = 0

  constructor(world: World, pid: number) {
    this.#world = world
    this.pid = pid
    this.skew = world.chance.between(-86_400_000, 86_400_000)
    this.time = { now: () => world.now + this.skew, after: (ms, work) => this.after(ms, work) }
    this.#death = new Promise((_, reject) => {
      this.#tellDeath = () => reject(new Died())
    })
    this.#death.catch(() => {})
  }

  /** What happens on this machine waits while it stands still, and never happens when it is dead. */
  after(ms: number, work: () => void): () => void {
    let cancel = () => {}
    const attempt = () => {
      if (this.isDead) return
      if (this.isPaused) cancel = this.#world.after(this.#pausedUntil - this.#world.now, attempt)
      else work()
    }
    cancel = this.#world.after(ms, attempt)
    return () => cancel()
  }

  get isPaused(): boolean {
    return this.#pausedUntil > this.#world.now
  }

  pause(ms: number): void {
    this.#pausedUntil = this.#world.now + ms
  }

  die(): void {
    this.isDead = true
    this.#tellDeath()
  }

  /** The result of work on this machine, unless it dies before that. */
  alive<Result>(work: Promise<Result>): Promise<Result> {
    return Promise.race([work, this.#death])
  }

  sleep(ms: number): Promise<void> {
    return this.alive(new Promise((resolve) => this.after(ms, resolve)))
  }

  /** What processes of this host know of each other. */
  processes(machines: readonly Machine[]): Processes {
    const stateOf = (other: { readonly pid: number }) =>
      machines.find(({ pid }) => pid === other.pid)?.isDead === false ? 'alive' : 'dead'
    return { self: { pid: this.pid, host: 'here' }, stateOf }
  }
}
