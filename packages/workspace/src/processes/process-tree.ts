import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync } from 'node:fs'
import { type Readable, Writable } from 'node:stream'
import * as z from 'zod'
import { codeOf } from '../paths/system-errors.ts'
import type { ChildVariables } from './child-variables.ts'
import type { Containment, Launch } from './containment.ts'
import { forgetLiving, rememberLiving } from './living.ts'
import { endOrphans, killOrphans, markName } from './orphans.ts'
import { channel, supervised } from './supervisor.ts'

export interface TreeOptions {
  readonly shell: string
  readonly command: string
  /** A real path. */
  readonly cwd: string
  readonly variables: ChildVariables
  readonly containment: Containment
  /** Its standard input; absent means that it gets none. */
  readonly input?: string | undefined
  readonly onOutput: (chunk: Uint8Array) => void
  /** Called once with the pid that leads its processes, right before the command begins. */
  readonly onStarted?: ((pid: number) => void) | undefined
}

/** What bubblewrap reports about the namespace that it made. */
const NamespaceFacts = z.object({ 'child-pid': z.int().min(2) })

/**
 * A command and every process that it starts.
 *
 * 1. It gets no terminal, and no input but what was given with it.
 * 2. After `end`, or our own death, none of its processes is alive, as far as its containment reaches.
 * 3. It starts only when 2 is certain.
 */
export class ProcessTree {
  readonly #child: ChildProcess
  readonly #containment: Containment
  readonly #mark = randomUUID()
  /** The first process of the namespace, by its pid outside. It leads the process group of the command. */
  #leader: number | undefined
  #status = ''
  #complaint = ''
  #ended = false
  readonly #onStarted: TreeOptions['onStarted']

  /** The exit code of the command; undefined when it was killed or never started. */
  readonly exitCode: Promise<number | undefined>
  /** Resolves when no process holds the output open any more. */
  readonly outputEnded: Promise<void>
  /** Resolves when every process that can be waited for has exited. */
  readonly closed: Promise<void>

  constructor(options: TreeOptions) {
    this.#containment = options.containment
    this.#onStarted = options.onStarted
    this.#child = this.#spawn(options)
    this.closed = this.#untilClosed()
    this.exitCode = this.#untilStatus()
    this.outputEnded = this.#untilOutputEnds(options.onOutput)
    this.#channels[channel.complaints]?.on('data', (chunk: Uint8Array) => {
      this.#complaint = (this.#complaint + asText(chunk)).slice(0, 1000)
    })
    rememberLiving(this)
    this.#feed(options.input)
    this.#start()
  }

  /** Why the command did not start; undefined when it did. */
  get obstacle(): string | undefined {
    if (this.#status !== '') return undefined
    return this.#complaint.trim() || 'its supervisor was killed'
  }

  get #channels(): readonly (Readable | Writable | null | undefined)[] {
    return this.#child.stdio
  }

  /** Asks the command, and all processes in its group, to end. False when there is none left to ask. */
  terminate(): boolean {
    const group = this.#containment.kind === 'group' ? this.#child.pid : this.#leader
    if (group === undefined || this.#ended) return false
    signalGroup(group, 'SIGTERM')
    return true
  }

  /** Kills all of it, without waiting. The watcher of a namespace ends by itself after the last process in it. */
  end(): void {
    if (this.#ended) return
    this.#ended = true
    forgetLiving(this)
    const group = this.#leader ?? this.#child.pid
    if (group !== undefined) signalGroup(group, 'SIGKILL')
  }

  /** After `end`: kills processes that it missed and that can be found. Returns how many had left their group. */
  async endOrphans(): Promise<number> {
    if (this.#containment.kind === 'group') return await endOrphans(this.#mark)
    const { pid, exitCode, signalCode } = this.#child
    if (pid !== undefined && exitCode === null && signalCode === null) signalGroup(pid, 'SIGKILL')
    return 0
  }

  /** Kills what can be reached at once; for when there is no time left to wait. */
  endAtOnce(): void {
    this.end()
    if (this.#containment.kind === 'group') killOrphans(this.#mark)
  }

  #spawn({ shell, command, cwd, variables, containment, input }: TreeOptions): ChildProcess {
    const inner = supervised(shell, command)
    const options = { cwd, detached: true, windowsHide: true }
    if (containment.kind === 'group') {
      const env = { ...variables, [markName]: this.#mark }
      const stdio = layout('ignore', input)
      return spawn(inner[0], inner.slice(1), { ...options, env, stdio })
    }
    const launch = containment.launch({
      words: inner,
      cwd,
      variables,
      statusFd: channel.namespace,
      filterFd: channel.filter,
      spacesFds: { user: channel.user, net: channel.net },
    })
    const { filter: wanted, spaces } = launch
    const child = closing(spaces, () =>
      spawn(launch.program, launch.arguments, {
        ...options,
        ...launch.owner,
        cwd: launch.cwd,
        env: launch.variables,
        stdio: [
          ...layout('pipe', input),
          ...(wanted === undefined && spaces === undefined
            ? []
            : ([wanted === undefined ? 'ignore' : 'pipe'] as const)),
          ...(spaces === undefined ? [] : [spaces.user, spaces.net]),
        ],
      }),
    )
    const channels: readonly unknown[] = child.stdio
    const filter = channels[channel.filter]
    // A process that ends before it has read the filter reports the reason through its exit code and output.
    if (filter instanceof Writable) filter.on('error', () => undefined).end(launch.filter)
    return child
  }

  #untilClosed(): Promise<void> {
    return new Promise((resolve) => {
      this.#child.once('close', () => resolve())
      this.#child.once('error', (error) => {
        this.#complaint = error.message
        resolve()
      })
    })
  }

  #untilStatus(): Promise<number | undefined> {
    return new Promise((resolve) => {
      const status = this.#channels[channel.status]
      status?.on('data', (chunk: Uint8Array) => {
        this.#status += asText(chunk)
        const [, code] = /^started\n(\d+)\n/.exec(this.#status) ?? []
        if (code !== undefined) resolve(Number(code))
      })
      status?.once('close', () => resolve(undefined))
      void this.closed.then(() => resolve(undefined))
    })
  }

  #untilOutputEnds(onOutput: (chunk: Uint8Array) => void): Promise<void> {
    return new Promise((resolve) => {
      const output = this.#channels[channel.output]
      output?.on('data', onOutput)
      output?.once('end', resolve)
      void this.closed.then(resolve)
    })
  }

  /** What it does not read before it ends is lost. */
  #feed(input: string | undefined): void {
    if (input !== undefined) this.#child.stdin?.on('error', () => undefined).end(input)
  }

  #start(): void {
    const lifeline = this.#channels[channel.lifeline]
    if (!(lifeline instanceof Writable)) return
    // The reading process may be dead by then, which its exit code shows.
    lifeline.on('error', () => undefined)
    if (this.#containment.kind === 'group') {
      if (this.#child.pid !== undefined) this.#onStarted?.(this.#child.pid)
      return void lifeline.write('go\n')
    }
    let told = ''
    this.#channels[channel.namespace]?.on('data', (chunk: Uint8Array) => {
      told += asText(chunk)
      if (this.#leader !== undefined || !told.includes('\n')) return
      this.#leader = leaderIn(told)
      if (this.#leader === undefined) {
        this.#complaint = 'bubblewrap did not say what it had made'
        this.end()
      } else if (this.#ended) {
        signalGroup(this.#leader, 'SIGKILL')
      } else {
        this.#onStarted?.(this.#leader)
        lifeline.write('go\n')
      }
    })
  }
}

/** The child has its own copies of the descriptors as soon as it was started. */
function closing<Made>(spaces: Launch['spaces'], make: () => Made): Made {
  try {
    return make()
  } finally {
    for (const descriptor of spaces === undefined ? [] : [spaces.user, spaces.net]) closeSync(descriptor)
  }
}

/** The stdio of the child, in the order of the channels. */
function layout(namespace: 'ignore' | 'pipe', input: string | undefined): ('ignore' | 'pipe')[] {
  return [input === undefined ? 'ignore' : 'pipe', 'ignore', 'pipe', 'pipe', namespace, 'pipe', 'pipe']
}

/** The first line that bubblewrap wrote describes the namespace. */
function leaderIn(told: string): number | undefined {
  try {
    return NamespaceFacts.safeParse(JSON.parse(told.slice(0, told.indexOf('\n')))).data?.['child-pid']
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function signalGroup(group: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(-group, signal)
  } catch (error) {
    // The process has ended, or all that is left of its group belongs to another user.
    if (codeOf(error) !== 'ESRCH' && codeOf(error) !== 'EPERM') throw error
  }
}

function asText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}
