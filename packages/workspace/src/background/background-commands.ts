import { existsSync } from 'node:fs'
import type { Socket } from 'node:net'
import { basename, join } from 'node:path'
import type { Background, BackgroundNow } from '@loader/session-core/coding'
import { isThere, mayLive } from '../processes/process-mark.ts'
import type { WallsAround, WallsAroundOptions } from '../walls/walls-around.ts'
import type { EndedWalledCommand } from '../walls/walls.ts'
import { goOn, type ToGoOn } from './go-on.ts'
import { keepElsewhere, type KeeperProgram } from './keeper.ts'
import { outputLength, type OutputPart, readOutput } from './output-file.ts'
import { type Listening, placeOfPorts, portsOf } from './ports.ts'
import { connectHere, PublishedPort } from './published.ts'
import {
  backgroundFolder,
  type BackgroundRecord,
  commandFolders,
  newCommandFolder,
  readRecord,
  standingOf,
  writeStop,
} from './record.ts'
import { Relay } from './relay.ts'
import { stopCommand } from './stop.ts'

/** The walls that background commands run in, and who owns them. */
export interface BackgroundOptions {
  readonly walls: WallsAround
  /** What these walls were made of; an owner elsewhere makes the same. */
  readonly around: WallsAroundOptions
  /** The program of an owner, for commands that outlive this process. Absent means that none does. */
  readonly keeper?: KeeperProgram | undefined
}

/** A command to be started in the background. */
export interface BackgroundRequest extends Pick<ToGoOn, 'command' | 'cwd' | 'reach' | 'callId'> {
  readonly sessionId: string
}

/** Where a port of a background command is reached from this process. */
export interface ReachablePort extends Listening {
  readonly id: string
  readonly on: 'session' | 'machine'
}

/** A connection to a port: a `Socket` of `node:net`, whose types a program that uses this need not have. */
export interface PortConnection {
  readonly destroyed: boolean
  destroy(): unknown
}

interface Own {
  readonly stop: AbortController
  readonly ended: Promise<EndedWalledCommand | undefined>
}

/**
 * The background commands of all sessions of an agent.
 *
 * 1. What is known of a command lies in files: any process can list it, read its output and stop it.
 * 2. A command ends with the process that owns it: this one, or one that was started for it. No cleaning up is needed.
 * 3. A process is sent a signal only if it is the one that was written down, by pid, start time and boot.
 */
export class BackgroundCommands implements Background {
  readonly #options: BackgroundOptions
  readonly #own = new Map<string, Own>()
  readonly #published = new Map<string, PublishedPort>()
  readonly #relays = new Map<string, Promise<Relay | undefined>>()
  /** How those ended that are over: it does not change any more. */
  readonly #over = new Map<string, BackgroundNow>()

  constructor(options: BackgroundOptions) {
    this.#options = options
  }

  /** Starts a command. A string says why it could not be started. */
  async start({
    sessionId,
    callId,
    command,
    cwd,
    reach,
  }: BackgroundRequest): Promise<string | { readonly id: string }> {
    const { walls, around, keeper } = this.#options
    await this.findLoopback(sessionId)
    const { id, folder } = newCommandFolder(this.#folderOf(sessionId))
    const keeps = keeper !== undefined
    const wanted = { id, folder, session: sessionId, root: around.root, callId, command, cwd, reach, keeps }
    const loopback = await walls.loopbackOf(sessionId)
    const refused =
      keeper === undefined
        ? await this.#startHere(wanted)
        : await keepElsewhere(keeper, { wanted, walls: { ...around, ...forOthers(around) }, loopback })
    if (refused !== undefined) return refused
    const { ended } = readRecord(folder) ?? {}
    if (ended?.how === 'not_started') return ended.why ?? 'it is not known why'
    await this.findLoopback(sessionId)
    return { id }
  }

  /** Commands that are run from now on share the loopback of those that go on, also of those that were found again. */
  async findLoopback(sessionId: string): Promise<void> {
    const { walls } = this.#options
    const live = this.#records(sessionId).filter((record) => standingOf(record) === 'goes_on')
    if (live.length === 0) return
    const known = await walls.loopbackOf(sessionId)
    if (known !== undefined && isThere(known)) return
    const other = live.find(({ loopback }) => loopback !== undefined && isThere(loopback))?.loopback
    if (other !== undefined) await walls.shareLoopback(sessionId, other)
  }

  now(sessionId: string): readonly BackgroundNow[] {
    return commandFolders(this.#folderOf(sessionId)).flatMap((folder) => this.#over.get(folder) ?? this.#nowOf(folder))
  }

  /** A part of what a command has printed; undefined if there is no such command. */
  output(sessionId: string, id: string, offset: number, most: number): OutputPart | undefined {
    const folder = this.#existing(sessionId, id)
    return folder === undefined ? undefined : readOutput(folder, offset, most)
  }

  outputLength(sessionId: string, id: string): number {
    const folder = this.#existing(sessionId, id)
    return folder === undefined ? 0 : outputLength(folder)
  }

  /** Asks a command to end, ends it after a while, and resolves when it has. False if it goes on nevertheless. */
  async stop(sessionId: string, id: string, how: 'stopped' | 'closed' = 'stopped'): Promise<boolean> {
    const folder = this.#existing(sessionId, id)
    if (folder === undefined) return true
    const own = this.#own.get(folder)
    if (own === undefined) return stopCommand(folder, how)
    writeStop(folder, how)
    own.stop.abort()
    await own.ended
    return true
  }

  /** The ports of commands that go on, as this process can reach them. */
  ports(sessionId: string): readonly ReachablePort[] {
    return commandFolders(this.#folderOf(sessionId)).flatMap((folder) => {
      const record = readRecord(folder)
      return record === undefined ? [] : portsOfRecord(record).map((port) => ({ ...port, id: record.id }))
    })
  }

  /** A connection to a port of a background command, and to no other. Undefined if there is none. */
  connect(sessionId: string, port: number): Promise<PortConnection | undefined> {
    return this.#reach(sessionId, port)
  }

  async #reach(sessionId: string, port: number): Promise<Socket | undefined> {
    const found = this.ports(sessionId).find((each) => each.port === port)
    if (found === undefined) return undefined
    if (found.on === 'machine') return connectHere(found.host, port)
    const relay = await this.#relay(sessionId)
    return relay?.connect(found.host, port)
  }

  /** Lets a port of a command be reached on the loopback of this machine. A string says why that is not possible. */
  async publish(sessionId: string, port: number, hostPort: number): Promise<string | { readonly hostPort: number }> {
    const found = this.ports(sessionId).find((each) => each.port === port)
    if (found === undefined) return `no background command listens on port ${port}`
    if (found.on === 'machine') return `port ${port} is one of this machine already`
    const opened = await PublishedPort.open(port, hostPort, () => this.#reach(sessionId, port))
    if (typeof opened === 'string') return opened
    this.#published.set(`${sessionId} ${found.id} ${opened.hostPort}`, opened)
    return { hostPort: opened.hostPort }
  }

  async close(sessionId: string): Promise<void> {
    const prefix = `${sessionId} `
    for (const [key, published] of this.#published) if (key.startsWith(prefix)) this.#unpublish(key, published)
    const all = commandFolders(this.#folderOf(sessionId))
    const mine = all.filter((folder) => this.#own.has(folder))
    await Promise.all(mine.map((folder) => this.stop(sessionId, basename(folder), 'closed')))
    const relay = await this.#relays.get(sessionId)
    this.#relays.delete(sessionId)
    relay?.end()
  }

  async #startHere(wanted: ToGoOn): Promise<string | undefined> {
    const { folder } = wanted
    const stop = new AbortController()
    const ended = goOn(this.#options.walls, wanted, stop.signal).catch(() => undefined)
    this.#own.set(folder, { stop, ended })
    let isOver = false
    const over = ended.then(() => (isOver = true))
    void over.then(() => this.#own.delete(folder))
    while (!isOver && readRecord(folder)?.leader === undefined) {
      await Promise.race([over, new Promise((resolve) => setTimeout(resolve, pollMs))])
    }
    return readRecord(folder)?.leader === undefined && readRecord(folder)?.ended === undefined
      ? 'its record could not be written'
      : undefined
  }

  #nowOf(folder: string): BackgroundNow | readonly never[] {
    const record = readRecord(folder)
    if (record === undefined) return []
    const { id, callId, command, cwd, reach, startedAt, leader, keeps, ended, session, setAside } = record
    const about = { id, command, cwd, reach, startedAt, keeps, ...(callId !== undefined && { callId }) }
    const known = { ...about, ...(leader !== undefined && { process: leader }), ...(setAside && { setAside }) }
    const standing = standingOf(record)
    if (standing === 'goes_on') {
      const ports = portsOfRecord(record).map(({ port, on }) => ({ port, on }))
      return { ...known, ports, published: this.#publishedOf(session, id) }
    }
    for (const [key, published] of this.#published) {
      if (key.startsWith(`${session} ${id} `)) this.#unpublish(key, published)
    }
    const { how = 'gone', exitCode, bytes = outputLength(folder) } = ended ?? {}
    const over: BackgroundNow = {
      ...known,
      ended: { how, bytes, ...(exitCode !== undefined && { exitCode }) },
      ports: [],
      published: [],
    }
    this.#over.set(folder, over)
    return over
  }

  #publishedOf(sessionId: string, id: string): BackgroundNow['published'] {
    return [...this.#published].flatMap(([key, { port, hostPort }]) =>
      key.startsWith(`${sessionId} ${id} `) ? [{ port, hostPort }] : [],
    )
  }

  #unpublish(key: string, published: PublishedPort): void {
    this.#published.delete(key)
    published.close()
  }

  async #relay(sessionId: string): Promise<Relay | undefined> {
    const { walls, around } = this.#options
    await this.findLoopback(sessionId)
    const loopback = await walls.loopbackOf(sessionId)
    if (loopback === undefined) return undefined
    const known = await this.#relays.get(sessionId)
    if (known !== undefined && known.isUsable && mayLive(known.loopback)) return known
    known?.end()
    const started = Relay.start(loopback, around.root)
    this.#relays.set(sessionId, started)
    return started
  }

  #records(sessionId: string): readonly BackgroundRecord[] {
    return commandFolders(this.#folderOf(sessionId)).flatMap((folder) => readRecord(folder) ?? [])
  }

  #folderOf(sessionId: string): string {
    return backgroundFolder(this.#options.walls.folderOf(sessionId))
  }

  #existing(sessionId: string, id: string): string | undefined {
    const folder = join(this.#folderOf(sessionId), id)
    return /^bg[1-9]\d{0,8}$/.test(id) && existsSync(join(folder, 'record.json')) ? folder : undefined
  }
}

const pollMs = 5

function portsOfRecord(record: BackgroundRecord): readonly (Listening & { readonly on: 'session' | 'machine' })[] {
  const { leader } = record
  if (leader === undefined || standingOf(record) !== 'goes_on') return []
  const on = placeOfPorts(leader)
  return portsOf(leader).map((port) => ({ ...port, on }))
}

/** An owner elsewhere has no environment of the user but the one that is given to it. */
function forOthers({ variables = process.env }: WallsAroundOptions): Pick<WallsAroundOptions, 'variables'> {
  return { variables: { ...variables } }
}
