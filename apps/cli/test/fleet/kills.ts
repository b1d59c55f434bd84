import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import { isSessionEvent, readSession, type StoredEvent } from '@loader/session-core'
import { call, line } from '@loader/test-harness'
import type { WireScriptLine } from '@loader/test-harness/wire'
import { anyInstallation, Server } from '@loader/test-postgres'
import { findProject } from '@loader/workspace'
import { queueTask } from '../../src/fleet/queue-task.ts'
import { fleetStage, type FleetStage } from './fleet-stage.ts'

export interface KillOptions {
  readonly seconds: number
  readonly workers: number
  /** How often the database is ended with all that it is doing, and started again. */
  readonly restarts: number
  /** Milliseconds between two kills: at least, at most. */
  readonly between: readonly [number, number]
  /** How many sessions are kept in line. */
  readonly open: number
  /** Told what workers say. */
  readonly log?: (words: string) => void
}

export interface KillFigures {
  readonly sessions: number
  readonly kills: number
  /** Workers that stood still for longer than their lease, and went on. */
  readonly pauses: number
  readonly restarts: number
  readonly events: number
  readonly effects: number
  /** Inputs that were acknowledged and did not lead to the end of their turn. */
  readonly lostInputs: readonly string[]
  /** Events that a reader has seen, and that are not there any more as they were. */
  readonly lostEvents: readonly string[]
  /** Calls that are recorded as done, and that had no effect. */
  readonly lostEffects: readonly string[]
  /** Effects that happened twice, though nobody was told that it is unknown. */
  readonly doubled: readonly string[]
  /** Calls of which it was said that it is unknown what became of them. */
  readonly unknown: number
  /** What ended in other ways than by finishing. */
  readonly ends: Readonly<Record<string, number>>
  /** Workers that the session killed which kills its workers, and why it is parked. */
  readonly poison: { readonly killed: number; readonly reason: string | undefined }
  /** Sessions that were parked because chance hit them three times in a row; they were unparked. */
  readonly unparked: number
}

const steps = 3
const leaseSeconds = 5
/** Every so many times a worker is not killed, but stands still for longer than its lease. */
const pausedEvery = 5

/**
 * The model of each session: a call for each step, and an answer behind them. A step whose call is said not to have run is
 * done again; one of which nothing is known is not.
 */
function modelOf(effects: string): WireScriptLine {
  return ({ messages }) => {
    const task = messages.find(({ role }) => role === 'user')?.text ?? ''
    const [, number = ''] = /number (\d+)/.exec(task) ?? []
    if (task.includes('poison')) {
      // A command reaches no process of the machine: its worker is killed from outside, as one is that runs out of memory.
      return line('I end it.', call('bash', { command: `echo killed >> ${join(effects, 'poison')}; sleep 60` }))
    }
    let step = 1
    const calls = messages.flatMap((message) => message.calls)
    const results = messages.flatMap((message) => message.results)
    for (const [index, { input }] of calls.entries()) {
      const [, of] = /step (\d)/.exec(JSON.stringify(input)) ?? []
      const result = results[index]?.text ?? ''
      step = Number(of) + (isNotRun(result) ? 0 : 1)
    }
    if (step > steps) return line(`All ${steps} steps of number ${number} were taken.`)
    const command = `echo "${number} ${step}" >> ${join(effects, number)}; sleep 0.1; echo took step ${step}`
    return line(`I take step ${step}.`, call('bash', { command }))
  }
}

function isNotRun(result: string): boolean {
  return /Nothing was done|before it answered|Not run/.test(result)
}

/**
 * Workers that are killed at any moment, over a database that is ended and started again, while tasks come in. At the end
 * they are left alone until nothing is in line, and then everything is counted.
 */
export async function killWorkers(
  options: KillOptions,
  say: (words: string) => void = () => undefined,
): Promise<KillFigures> {
  const server = await Server.start(anyInstallation(), { settings: ['fsync=on'] })
  try {
    const effects = join(server.directory, '..', `effects-${process.pid}-${server.port}`)
    mkdirSync(effects, { recursive: true })
    await using fleet = await fleetStage(server, ...Array.from({ length: 50_000 }, () => modelOf(effects)))
    return await new Kills(fleet, server, effects, options, say).run()
  } finally {
    await server.dispose()
  }
}

class Kills {
  readonly #fleet: FleetStage
  readonly #server: Server
  readonly #effects: string
  readonly #options: KillOptions
  readonly #say: (words: string) => void
  readonly #queued = new Map<string, string>()
  readonly #seen = new Map<string, Map<number, string>>()
  readonly #workers = new Set<ReturnType<FleetStage['worker']>>()
  #isKilling = true
  #isOver = false
  #kills = 0
  readonly #pauses: Promise<void>[] = []
  #restarts = 0
  #unparked = 0
  #poisonId = ''

  constructor(fleet: FleetStage, server: Server, effects: string, options: KillOptions, say: (words: string) => void) {
    this.#fleet = fleet
    this.#server = server
    this.#effects = effects
    this.#options = options
    this.#say = say
  }

  async run(): Promise<KillFigures> {
    const { workers, seconds } = this.#options
    this.#poisonId = await this.#queue('Run the poison now.')
    const machines = Array.from({ length: workers }, (_unused, index) => this.#keepRunning(`machine-${index}`))
    const others = [
      this.#keepPoisoning(),
      this.#keepQueueing(),
      this.#keepReading(),
      this.#keepKilling(),
      this.#keepRestarting(),
    ]
    await passed(seconds * 1_000)
    this.#isKilling = false
    await this.#untilNothingIsInLine()
    this.#isOver = true
    await Promise.all(others)
    for (const { process: child } of this.#workers) child.kill('SIGTERM')
    await Promise.all(machines)
    return this.#figures()
  }

  async #keepRunning(machine: string): Promise<void> {
    while (!this.#isOver) {
      const worker = this.#fleet.worker(
        ['--concurrency', '2', '--lease', String(leaseSeconds), '--permission-mode', 'danger-full-access'],
        machine,
      )
      this.#workers.add(worker)
      worker.process.stdout?.on('data', (chunk: Buffer) =>
        this.#options.log?.(`${machine} ${chunk.toString().trimEnd()}`),
      )
      const { code } = await worker.ended
      this.#options.log?.(`${machine} ended with ${code}`)
      this.#workers.delete(worker)
      if (code !== null && !this.#isOver) this.#say(`a worker ended with ${code}: ${worker.said()}`)
    }
  }

  async #keepKilling(): Promise<void> {
    const [least, most] = this.#options.between
    while (this.#isKilling) {
      await passed(least + Math.random() * (most - least))
      const worker = [...this.#workers][Math.floor(Math.random() * this.#workers.size)]
      if (!this.#isKilling || worker === undefined) continue
      if ((this.#kills + this.#pauses.length) % pausedEvery === pausedEvery - 1) {
        this.#pauses.push(this.#pause(worker.process))
        continue
      }
      worker.process.kill('SIGKILL')
      this.#kills += 1
    }
    await Promise.all(this.#pauses)
  }

  async #pause(worker: ChildProcess): Promise<void> {
    worker.kill('SIGSTOP')
    await passed((leaseSeconds + 1) * 1_000)
    worker.kill('SIGCONT')
  }

  /** Whoever works on the poison is killed by it. */
  async #keepPoisoning(): Promise<void> {
    let killed = 0
    while (!this.#isOver) {
      await passed(20)
      if (linesOf(join(this.#effects, 'poison')).length <= killed) continue
      const { sessions, workers } = await this.#fleet.dispatch.fleet().catch(() => ({ sessions: [], workers: [] }))
      const name = sessions.find(({ id }) => id === this.#poisonId)?.worker
      const about = workers.find(({ id }) => id === name)?.about as { readonly pid?: number } | undefined
      const worker = [...this.#workers].find(
        ({ process: child }) => child.pid !== undefined && child.pid === about?.pid,
      )
      if (worker === undefined) continue
      worker.process.kill('SIGKILL')
      killed += 1
    }
  }

  async #keepRestarting(): Promise<void> {
    const { seconds, restarts } = this.#options
    for (let count = 0; count < restarts; count += 1) {
      await passed((seconds * 1_000) / (restarts + 1))
      await this.#server.end('SIGKILL')
      await passed(500)
      await this.#server.run()
      this.#restarts += 1
      this.#say(`the database was restarted ${this.#restarts} times`)
    }
  }

  async #keepQueueing(): Promise<void> {
    while (this.#isKilling) {
      const open = await this.#inLine().catch(() => undefined)
      if (open !== undefined && open < this.#options.open) {
        const number = this.#queued.size
        await this.#queue(`Take the steps of number ${number} in the file of its name.`).catch(() => undefined)
      } else await passed(50)
    }
  }

  async #inLine(): Promise<number> {
    return (await this.#fleet.dispatch.fleet()).sessions.filter(({ standing }) => standing !== 'parked').length
  }

  async #queue(text: string): Promise<string> {
    const { store, dispatch, one } = this.#fleet
    const project = findProject(one.project, { variables: { LOADER_STATE: one.state } })
    const places = { root: one.project, project: () => project }
    const { id } = await queueTask({ text, wishes: {} }, {}, { store, dispatch, places })
    this.#queued.set(id, text)
    return id
  }

  /** Notes what a reader sees of every session that is in line. */
  async #keepReading(): Promise<void> {
    while (!this.#isOver) {
      const { sessions } = await this.#fleet.dispatch.fleet().catch(() => ({ sessions: [] }))
      for (const { id } of sessions) await this.#note(id).catch(() => undefined)
      await passed(100)
    }
  }

  async #note(id: string): Promise<void> {
    const seen = this.#seen.get(id) ?? new Map<number, string>()
    this.#seen.set(id, seen)
    for await (const event of this.#fleet.store.read(id, { fromSeq: seen.size + 1 }))
      seen.set(event.seq, JSON.stringify(event))
  }

  async #untilNothingIsInLine(): Promise<void> {
    for (;;) {
      const { sessions } = await this.#fleet.dispatch.fleet().catch(() => ({ sessions: undefined }))
      const left = sessions?.filter(({ id, standing }) => id !== this.#poisonId || standing !== 'parked')
      if (left?.length === 0) return
      for (const { id, standing } of left ?? []) {
        if (standing !== 'parked') continue
        this.#unparked += 1
        await this.#fleet.dispatch.unpark(id)
      }
      await passed(200)
    }
  }

  async #figures(): Promise<KillFigures> {
    const { store, dispatch } = this.#fleet
    const lostInputs: string[] = []
    const lostEvents: string[] = []
    const lostEffects: string[] = []
    const doubled: string[] = []
    const ends: Record<string, number> = {}
    let [events, effects, unknown] = [0, 0, 0]
    for (const [id, text] of this.#queued) {
      if (id === this.#poisonId) continue
      const { state, history } = await readSession(store, id)
      events += history.length
      if (state.turn !== null || state.queue.length > 0 || state.lastTurn === null) lostInputs.push(id)
      const reason = state.lastTurn?.reason ?? 'none'
      ends[reason] = (ends[reason] ?? 0) + 1
      for (const [seq, before] of this.#seen.get(id) ?? []) {
        if (JSON.stringify(history[seq - 1]) !== before) lostEvents.push(`${id} ${seq}`)
      }
      const [, number = ''] = /number (\d+)/.exec(text) ?? []
      const happened = linesOf(join(this.#effects, number))
      effects += happened.length
      for (let step = 1; step <= steps; step += 1) {
        const outcomes = outcomesOf(history, step)
        unknown += outcomes.filter((outcome) => outcome === 'unknown').length
        const count = happened.filter((one) => one === `${number} ${step}`).length
        const done = outcomes.filter((outcome) => outcome === 'ok').length
        if (count < done) lostEffects.push(`${id} step ${step}: ${count} of ${done}`)
        if (count > done + outcomes.filter((outcome) => outcome === 'unknown').length) {
          doubled.push(`${id} step ${step}: ${count} times, recorded ${outcomes.join(', ')}`)
        }
      }
    }
    const parked = (await dispatch.fleet()).sessions.find(({ id }) => id === this.#poisonId)
    const poison = { killed: linesOf(join(this.#effects, 'poison')).length, reason: parked?.reason }
    const about = {
      kills: this.#kills,
      pauses: this.#pauses.length,
      restarts: this.#restarts,
      unparked: this.#unparked,
    }
    return {
      sessions: this.#queued.size,
      ...about,
      events,
      effects,
      lostInputs,
      lostEvents,
      lostEffects,
      doubled,
      unknown,
      ends,
      poison,
    }
  }
}

/** How the calls of a step ended. */
function outcomesOf(history: readonly StoredEvent[], step: number): readonly string[] {
  const known = history.filter(isSessionEvent)
  const calls = known.flatMap((event) =>
    event.type === 'model.answered'
      ? event.content.flatMap((part) =>
          part.type === 'call' && JSON.stringify(part.call.input).includes(`step ${step}`) ? [part.call.id] : [],
        )
      : [],
  )
  return known.flatMap((event) =>
    event.type === 'tool.finished' && calls.includes(event.callId) ? [event.outcome] : [],
  )
}

function linesOf(file: string): readonly string[] {
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((one) => one !== '')
    : []
}
