import { type Claim, fold, LoaderError, type SessionEvent, type SessionState } from '@loader/session-core'
import { PostgresSessionStore } from '../../src/index.ts'
import { opened, titled } from '../events.ts'
import { poolOf } from './line.ts'
import { Died, type Held, Machine } from './machine.ts'
import { type OnCommit, Tables } from './tables.ts'
import { World } from './world.ts'
import { judgementOf, type Wrong } from './wrong.ts'

const owner = { type: 'Agent', path: 'public-agent' }
const leaseMs = 3_000
const ids = ['one', 'one', 'one', 'Two']
const base = fold([opened('one'), titled(2)]) as SessionState
const writes = new Set(['append', 'append_one', 'save_state', 'save_state_and_row', 'put_blob', 'renew'])

/** Several machines that claim, write, lose, delete and take over sessions, in a world of one seed. */
export class Schedule {
  readonly world: World
  readonly #wrong: Wrong
  readonly #tables: Tables
  readonly #machines: Machine[] = []
  readonly #weather = { faults: 0, leaseMs }
  readonly #epochs = new Set<string>()
  readonly #told = new Map<string, 'stored' | 'not stored' | 'uncertain'>()
  readonly #knowsProcesses: boolean
  readonly #timeoutMs: number
  #events = 0
  isOver = false

  constructor(seed: number, wrong: Wrong = {}) {
    this.world = new World(seed)
    this.#wrong = wrong
    this.#tables = new Tables(this.world, judgementOf(wrong), this.#onCommit)
    const { chance } = this.world
    this.#weather.faults = chance.oneOf([0, 0.03, 0.1, 0.25])
    this.#knowsProcesses = chance.is(0.5)
    this.#timeoutMs = chance.oneOf([leaseMs / 15, leaseMs / 3, leaseMs * 2])
    void this.#run()
  }

  async #run(): Promise<void> {
    const { chance, violate } = { chance: this.world.chance, violate: (what: string) => this.world.violate(what) }
    try {
      const count = chance.integer(2, 4)
      await Promise.all(Array.from({ length: count }, () => this.#live()))
      this.#weather.faults = 0
      await this.#lookAtTheEnd()
    } catch (error) {
      violate(`it failed: ${error instanceof Error ? error.stack : String(error)}`)
    }
    this.isOver = true
  }

  /** What one machine does, and then the one that is started after it died. */
  async #live(): Promise<void> {
    const { chance } = this.world
    for (let lives = chance.integer(1, 2); lives > 0; lives -= 1) {
      const machine = this.#machine()
      try {
        for (let rounds = chance.integer(1, 3); rounds > 0; rounds -= 1) await this.#work(machine)
        // Nobody gives back what is still held.
        machine.die()
      } catch (error) {
        if (!(error instanceof Died)) throw error
      }
    }
  }

  #machine(): Machine {
    const machine = new Machine(this.world, this.#machines.length + 1)
    this.#machines.push(machine)
    return machine
  }

  #store(machine: Machine): PostgresSessionStore {
    const pool = poolOf(this.world, machine, this.#tables, this.#weather, this.#wrong.mishearing?.())
    return new PostgresSessionStore(pool, {
      leaseMs,
      timeoutMs: this.#timeoutMs,
      time: machine.time,
      migrates: false,
      ...(this.#knowsProcesses && { processes: machine.processes(this.#machines) }),
    })
  }

  async #work(machine: Machine): Promise<void> {
    const { chance } = this.world
    const store = this.#store(machine)
    const id = chance.oneOf(ids)
    if (chance.is(0.08)) return this.#expect(['session_busy', 'session_not_found'], machine, store.delete(id))
    const isThere = (this.#tables.rows.get(id.toLowerCase())?.headSeq ?? 0) > 0
    const expect = isThere === chance.is(0.95) ? 'existing' : 'new'
    const claiming = store.claim(id, { owner, expect, takeover: chance.is(0.25) })
    const claim = await machine.alive(claiming).catch((error: unknown) => this.#refusal(error))
    if (claim === undefined) return machine.sleep(chance.between(1, leaseMs))
    await this.#write(machine, id.toLowerCase(), claim)
  }

  async #write(machine: Machine, key: string, claim: Claim): Promise<void> {
    const { chance } = this.world
    const { writer } = claim
    this.#requireNewEpoch(key, writer.epoch)
    const held: Held = { writer: writer as Held['writer'], isOver: false }
    machine.held.set(`${key} ${writer.epoch}`, held)
    let last = claim.events.at(-1)?.seq ?? claim.state?.seq ?? 0
    for (let steps = chance.integer(1, 6); steps > 0; steps -= 1) {
      const choice = chance.next
      if (choice < 0.55) {
        const groups = Array.from({ length: chance.is(0.2) ? 2 : 1 }, () => chance.integer(1, 3))
        const appended = groups.map((size) => {
          const events = Array.from({ length: size }, () => this.#event(key, (last += 1)))
          return this.#append(held, events)
        })
        if ((await machine.alive(Promise.all(appended))).includes(false)) break
      } else if (choice < 0.65 && last > 1) {
        await this.#expect(['writer_fenced', 'storage_uncertain', 'storage_refused'], machine, this.#save(held, last))
      } else if (choice < 0.7 && last > 0) {
        await machine.alive(writer.blobs.put('long').catch((error: unknown) => this.#refusal(error)))
      } else if (choice < 0.75) machine.pause(chance.between(leaseMs / 2, leaseMs * 3))
      else if (choice < 0.79) machine.die()
      else if (choice < 0.87) machine.cutOffUntil = this.world.now + chance.between(10, leaseMs * 3)
      else await machine.sleep(chance.is(0.3) ? chance.between(leaseMs / 2, leaseMs * 2) : chance.between(1, 200))
    }
    held.isOver = true
    await this.#expect([], machine, writer.release())
  }

  #event(key: string, seq: number): SessionEvent {
    this.#events += 1
    const event = seq === 1 ? opened(key) : titled(seq)
    // No two are alike.
    return { ...event, at: new Date(Date.parse(event.at) + this.#events).toISOString() }
  }

  /** Whether it was stored; what was told is remembered. */
  async #append({ writer }: Held, events: readonly SessionEvent[]): Promise<boolean> {
    const bodies = events.map((event) => JSON.stringify(event))
    try {
      await writer.append(events, 'flush')
      for (const body of bodies) {
        this.#told.set(body, 'stored')
        if (!this.#tables.committed.has(body)) this.world.violate(`acknowledged, and not stored: ${body}`)
      }
      return true
    } catch (error) {
      this.#refusal(error)
      const isUncertain = LoaderError.is(error, 'storage_uncertain')
      for (const body of bodies) this.#told.set(body, isUncertain ? 'uncertain' : 'not stored')
      return false
    }
  }

  #save({ writer }: Held, seq: number): Promise<void> {
    return writer.save({ ...base, seq, title: `State ${seq}` }, { index: this.world.chance.is(0.7) })
  }

  async #expect(codes: readonly string[], machine: Machine, work: Promise<unknown>): Promise<void> {
    try {
      await machine.alive(work)
    } catch (error) {
      this.#refusal(error)
      if (!LoaderError.is(error) || error.code.startsWith('storage_') || codes.includes(error.code)) return
      this.world.violate(`refused with ${error.code}: ${error.message}`)
    }
  }

  /** Looks at how something was refused. What no store may say is a violation. */
  #refusal(error: unknown): undefined {
    if (error instanceof Died) throw error
    if (!LoaderError.is(error)) throw error
    this.world.see(error.code)
    const isWrong = /disagree|duplicate key/.test(error.message)
    const neverSaid = ['impossible_event', 'session_damaged', 'invalid_state', 'invalid_event', 'session_closed']
    if (isWrong || neverSaid.includes(error.code)) this.world.violate(`it was said: ${error.code} ${error.message}`)
    return undefined
  }

  #requireNewEpoch(key: string, epoch: number): void {
    const claim = `${key} ${this.#tables.rows.get(key)?.born} ${epoch}`
    if (this.#epochs.has(claim)) this.world.violate(`the epoch ${epoch} of ${key} was given twice`)
    this.#epochs.add(claim)
  }

  /** What must be true after each commit, and of it. */
  readonly #onCommit: OnCommit = (key, { name, values }, before, after) => {
    const { world } = this
    const events = this.#tables.events.get(key) ?? []
    if (events.length !== (after?.headSeq ?? 0)) world.violate(`${name} left ${events.length} events of ${key}`)
    const isInOrder = events.every(
      ({ seq, epoch }, index) => seq === index + 1 && epoch >= (events[index - 1]?.epoch ?? 0),
    )
    if (!isInOrder) world.violate(`${name} left events of ${key} out of order`)
    if (writes.has(name)) {
      if (before === undefined || before.token !== values[2]) world.violate(`${name} of one who does not hold ${key}`)
      else if (before.leaseUntil <= world.now - 400) world.violate(`${name} after the lease of ${key}`)
    }
    if (after !== undefined && after.epoch < (before?.epoch ?? 0)) world.violate(`the epoch of ${key} fell`)
    if (after !== undefined && before !== undefined && after.stateSeq < before.stateSeq && after.headSeq > 0) {
      world.violate(`${name} put an older state in the place of a newer one`)
    }
    const isTaken = before?.token != null && after?.epoch !== before.epoch && name !== 'release'
    if (!isTaken) return
    if (name.startsWith('claim_') ? values.at(-2) !== before.epoch : values[4] !== true)
      this.#requireOver(key, before.epoch)
  }

  /** A session was taken from a holder because its lease was over: the holder must know that by now. */
  #requireOver(key: string, epoch: number): void {
    for (const machine of this.#machines) {
      const held = machine.held.get(`${key} ${epoch}`)
      if (held === undefined || held.isOver || machine.isDead || machine.isPaused) continue
      this.world.see('a lease that ended')
      if (!held.writer.lost.aborted) this.world.violate(`the lease of ${key} ended, and its holder was not told`)
    }
  }

  /** What is still on its way may be in front, for a while. */
  async #claimAtLast(machine: Machine, store: PostgresSessionStore, id: string): Promise<Claim> {
    for (let tries = 1; tries < 5; tries += 1) {
      const claim = await store.claim(id, { owner, expect: 'existing' }).catch((error: unknown) => this.#refusal(error))
      if (claim !== undefined) return claim
      await machine.sleep(leaseMs * 2)
    }
    return store.claim(id, { owner, expect: 'existing' })
  }

  /** When everything works again, each session can be continued and read, and holds what was promised. */
  async #lookAtTheEnd(): Promise<void> {
    const { world } = this
    const machine = this.#machine()
    await machine.sleep(leaseMs * 8)
    const store = this.#store(machine)
    for (const [key, { headSeq }] of this.#tables.rows) {
      if (headSeq === 0) continue
      const claim = await this.#claimAtLast(machine, store, key)
      this.#requireNewEpoch(key, claim.writer.epoch)
      const last = claim.events.at(-1)?.seq ?? claim.state?.seq ?? 0
      await claim.writer.append([this.#event(key, last + 1)], 'flush')
      await claim.writer.release()
      let seq = 0
      for await (const event of store.read(key))
        if ((seq += 1) !== event.seq) world.violate(`${key} has a gap at ${seq}`)
      if (seq !== headSeq + 1) world.violate(`${key} ends at ${seq} instead of ${headSeq + 1}`)
    }
    for (const [body, count] of this.#tables.committed) {
      if (count > 1) world.violate(`stored ${count} times: ${body}`)
      if (this.#told.get(body) === 'not stored') world.violate(`stored, and said not to be: ${body}`)
    }
  }
}
