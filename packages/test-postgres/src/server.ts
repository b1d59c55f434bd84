import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { answers } from './answers.ts'
import type { Installation } from './installations.ts'

/** The number of a user without rights, because the server refuses to run as root. */
const nobody = 65_534
const isRoot = process.getuid?.() === 0
const identity = isRoot ? { uid: nobody, gid: nobody } : {}

export interface PostgresOptions {
  /** Settings of the server, such as `fsync=on`. */
  readonly settings?: readonly string[]
  /** Where its data lie; a folder of its own without it. */
  readonly directory?: string
}

/** A server of its own, on a free port of this machine. */
export class Server {
  readonly port: number
  readonly #bin: string
  readonly #directory: string
  readonly #settings: readonly string[]
  #process: ChildProcess | undefined

  private constructor(bin: string, directory: string, port: number, settings: readonly string[]) {
    this.#bin = bin
    this.#directory = directory
    this.port = port
    this.#settings = settings
  }

  static async start(
    { bin }: Installation,
    { settings = ['fsync=off'], directory }: PostgresOptions = {},
  ): Promise<Server> {
    const folder = directory ?? mkdtempSync(join(tmpdir(), 'loader-pg-'))
    if (isRoot) chownSync(folder, nobody, nobody)
    const data = join(folder, 'data')
    mkdirSync(data, { mode: 0o700 })
    if (isRoot) chownSync(data, nobody, nobody)
    const made = spawnSync(
      join(bin, 'initdb'),
      ['-D', data, '-U', 'loader', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
      { ...identity, encoding: 'utf8', cwd: folder },
    )
    if (made.status !== 0) throw new Error(`initdb ended with ${made.status}: ${made.stderr}${made.error ?? ''}`)
    const server = new Server(bin, folder, await freePort(), settings)
    await server.run()
    return server
  }

  get address(): string {
    return `postgres://loader@127.0.0.1:${this.port}/postgres`
  }

  /** The address of a new database in it, for tests that change what others would see. */
  async database(): Promise<string> {
    const name = `database_${randomUUID().replaceAll('-', '')}`
    const client = new pg.Client({ connectionString: this.address })
    await client.connect()
    await client.query(`create database ${name}`)
    await client.end()
    return this.address.replace(/postgres$/, name)
  }

  /** Lets this process end while the server runs; what it says is not listened to any more. */
  unref(): void {
    this.#process?.unref()
    this.#process?.stderr?.destroy()
  }

  get directory(): string {
    return this.#directory
  }

  get isRunning(): boolean {
    return this.#process !== undefined && this.#process.exitCode === null && this.#process.signalCode === null
  }

  get pid(): number | undefined {
    return this.#process?.pid
  }

  /** Starts it, again if need be, and waits until it answers. */
  async run(): Promise<void> {
    const settings = [
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${this.#directory}`,
      'max_connections=200',
      ...this.#settings,
    ]
    const words = settings.flatMap((setting) => ['-c', setting])
    const child = spawn(
      join(this.#bin, 'postgres'),
      ['-D', join(this.#directory, 'data'), '-p', String(this.port), ...words],
      {
        ...identity,
        cwd: this.#directory,
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )
    this.#process = child
    let said = ''
    child.stderr?.on('data', (bytes: Buffer) => (said = `${said}${bytes.toString()}`.slice(-10_000)))
    while (!(await answers(this.address))) {
      if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}: ${said}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  /** Ends it: in good order, or with all that it is doing. */
  async end(how: 'SIGINT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const child = this.#process
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    // A server that is killed leaves its workers, which end when they notice.
    child.kill(how)
    await ended
    if (how === 'SIGKILL') await this.#workersAreGone()
  }

  /** Stops every process of the server where it stands, until `continue`. */
  pause(): void {
    this.#signalAll('SIGSTOP')
  }

  continue(): void {
    this.#signalAll('SIGCONT')
  }

  async dispose(): Promise<void> {
    this.continue()
    await this.end('SIGINT')
    rmSync(this.#directory, { recursive: true, force: true })
  }

  #signalAll(signal: NodeJS.Signals): void {
    const { pid } = this.#process ?? {}
    if (pid === undefined) return
    spawnSync('pkill', [`-${signal.slice(3)}`, '-P', String(pid)])
    this.#process?.kill(signal)
  }

  async #workersAreGone(): Promise<void> {
    const place = join(this.#directory, 'data')
    while (spawnSync('pgrep', ['-f', `postgres.*${place}`]).status === 0 || (await answers(this.address))) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    rmSync(join(place, 'postmaster.pid'), { force: true })
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('This machine gives no port.')
  return address.port
}
