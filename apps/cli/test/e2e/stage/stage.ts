import { type ChildProcess, spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import { FileSessionStore, hasSession } from '@loader/session-fs'
import { storeIn } from '../../written/store-in.ts'
import { readSession, type History, type SessionRow, type SessionState } from '@loader/session-core'
import { type TemporaryWorkspace, temporaryWorkspace } from '@loader/test-harness'
import { type WireLine, type WireServer, wireServer } from '@loader/test-harness/wire'
import { fromCi } from '@loader/test-tier'
import { loader } from '../../written/fake-console.ts'
import { builtLoader } from './built-loader.ts'

/** What a process of `loader` left behind. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly process: ChildProcess
  readonly ended: Promise<Ended>
}

/** An input that stays silent and is never closed. */
export const openInput = Symbol('open input')

export interface StartOptions {
  /** What comes through standard input; absent: nothing, at once. */
  readonly input?: string | typeof openInput
  readonly environment?: Readonly<Record<string, string>>
  /** Where it is started; absent: in the project. */
  readonly folder?: string
  /** The command that runs it, with what is of another machine. */
  readonly inside?: readonly string[]
}

/** A project, the user's own settings, and a model behind a strict server: all that `loader` needs. */
export class Stage implements AsyncDisposable {
  readonly project: string
  readonly config: string
  readonly state: string
  /** Where things are kept that only save time. */
  readonly caches: string
  readonly #workspace: TemporaryWorkspace
  readonly #server: WireServer
  readonly #running = new Set<ChildProcess>()

  constructor(workspace: TemporaryWorkspace, server: WireServer) {
    this.#workspace = workspace
    this.#server = server
    this.project = workspace.path('project')
    this.config = workspace.path('config')
    this.state = workspace.path('state')
    this.caches = workspace.path('caches')
    mkdirSync(this.project)
    mkdirSync(this.config)
  }

  get server(): WireServer {
    return this.#server
  }

  path(...parts: readonly string[]): string {
    return join(this.project, ...parts)
  }

  write(path: string, content: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true })
    writeFileSync(this.path(path), content)
  }

  start(words: readonly string[], options: StartOptions = {}): Running {
    const { input = '', environment = {}, folder = this.project, inside = [] } = options
    const [program, ...rest] = [...inside, loaderNode, builtLoader(), ...words] as [string, ...string[]]
    const child = spawn(program, rest, {
      cwd: folder,
      env: { ...this.environment, ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    this.#running.add(child)
    child.stdin.on('error', () => undefined)
    if (input !== openInput) child.stdin.end(input)
    const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)]
    const ended = once(child, 'close').then(([code, signal]: unknown[]): Ended => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      stdout: stdout(),
      stderr: stderr(),
    }))
    return { process: child, ended }
  }

  /** The built command from CI on; in the quick tier its sources in this process, which start at once. */
  run(words: readonly string[], options: Omit<StartOptions, 'input'> = {}): Promise<Ended> {
    return fromCi ? this.runBuilt(words, options) : this.runHere(words, options)
  }

  /** A process in every tier: for what only a process has. */
  runBuilt(words: readonly string[], options: StartOptions = {}): Promise<Ended> {
    return this.start(words, options).ended
  }

  /** In this process in every tier: for what no process of its own is needed to see. */
  async runHere(
    words: readonly string[],
    { environment = {}, folder = this.project }: Omit<StartOptions, 'input'> = {},
  ): Promise<Ended> {
    const ran = await loader(words, { folder, environment: { ...this.environment, ...environment } })
    return { code: ran.code, signal: null, stdout: ran.out, stderr: ran.err }
  }

  /** That of every process which is started here. */
  get environment(): Readonly<Record<string, string>> {
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
    return {
      PATH,
      NODE_COMPILE_CACHE,
      HOME: this.#workspace.path('home'),
      XDG_CACHE_HOME: this.caches,
      LOADER_STATE: this.state,
      LOADER_CONFIG_DIR: this.config,
      LOADER_MODEL: 'ollama/scripted',
      // What is tested here has nothing to do with walls, and they are not on every machine.
      LOADER_WALLS: 'off',
      OLLAMA_HOST: this.#server.url,
    }
  }

  /** Where the sessions of the project are kept. */
  get store(): FileSessionStore {
    return storeIn(this.project, this.state)
  }

  /** The sessions of the project, newest first. */
  async sessions(): Promise<readonly SessionRow[]> {
    return (await this.store.list({ check: true })).rows
  }

  async session(id: string): Promise<{ readonly state: SessionState; readonly history: History }> {
    const isInProject = !hasSession(this.store.directory, id)
    return readSession(isInProject ? new FileSessionStore({ root: this.project }) : this.store, id)
  }

  /** Settles when a file of the project is there. */
  async untilThere(path: string): Promise<void> {
    await until(() => existsSync(this.path(path)))
  }

  /** Makes the newest session unreadable: its state is gone, and of its first events one cannot be read. */
  async damage(): Promise<string> {
    const [row] = await this.sessions()
    const id = row?.id ?? ''
    const folder = this.store.directory
    rmSync(join(folder, `${id}.json`))
    for (const name of readdirSync(folder).filter((one) => one.startsWith('_index'))) rmSync(join(folder, name))
    const journal = join(folder, `${id}.journal.jsonl`)
    const bytes = readFileSync(journal)
    // With its first event a session loses what it is; any other event costs itself only.
    bytes.write('#', bytes.indexOf('session.opened'))
    writeFileSync(journal, bytes)
    return id
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#running) child.kill('SIGKILL')
    await this.#server.close()
    await this.#workspace.dispose()
  }
}

/** The oldest Node that the command runs on, which `.ci/run` names; in a plain test run, the one that runs the tests. */
export const loaderNode = process.env['LOADER_NODE'] || process.execPath

export async function stage(...lines: readonly WireLine[]): Promise<Stage> {
  return stageOf({ lines })
}

/** A stage whose server has more than lines: a key, or models. */
export async function stageOf(script: Parameters<typeof wireServer>[0]): Promise<Stage> {
  return new Stage(await temporaryWorkspace(), await wireServer(script))
}

/** What was printed, as JSON line by line. */
export function jsonLines(text: string): Readonly<Record<string, unknown>>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

/** Settles when the process has said this on standard error. */
export async function untilSaid({ process: child }: Running, words: RegExp): Promise<void> {
  let said = ''
  for await (const [chunk] of on(child.stderr as NodeJS.ReadableStream, 'data')) {
    said += String(chunk)
    if (words.test(said)) return
  }
}

/** For what no event tells. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await passed(10)
}

function textOf(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString('utf8')
}
