import { type ChildProcess, spawn } from 'node:child_process'
import { type Readable, Writable } from 'node:stream'
import { codeOf, meaningOf } from '../paths/system-errors.ts'
import { alarm } from './alarm.ts'
import type { ChildVariables } from './child-variables.ts'
import type { Containment } from './containment.ts'
import { forgetLiving, rememberLiving } from './living.ts'
import { channel } from './supervisor.ts'

/** How a process that stays has ended. */
export interface StayingEnd {
  readonly exitCode: number | null
  /** The end of what it wrote to standard error, or why it could not be started. */
  readonly complaints: string
}

/** A process that stays: it is written to and read from until it ends, or is ended. */
export interface StayingProcess {
  readonly ended: Promise<StayingEnd>
  /** The end of what it has written to standard error. */
  readonly complaints: string
  /** Receives its output; called once, before anything is written to it. */
  listen(onOutput: (chunk: Uint8Array) => void): void
  /** Resolves when the process can take more. What is written after its end is lost. */
  write(text: string): Promise<void>
  /** Closes its input, waits for it to end, asks it to end, and at last kills it with all that it has started. */
  end(graceMs?: number): Promise<void>
}

interface StayingRequest {
  readonly words: readonly [string, ...string[]]
  readonly cwd: string
  readonly variables: ChildVariables
  readonly containment: Containment
}

/**
 * Waits for a line on the lifeline, so that the program starts only while we live; and when the lifeline closes, because
 * we died, its process group is killed. Then the program takes the place of the shell.
 */
const script = `
read -r go <&${channel.lifeline} || exit 125
{ trap '' HUP INT QUIT TERM; read -r go <&${channel.lifeline}; kill -KILL 0; } </dev/null >/dev/null 2>&1 &
exec "$@" ${channel.lifeline}<&-
`

const longestComplaint = 4000
const usualGraceMs = 2000
const lastWordsMs = 250

export function startStaying(request: StayingRequest): StayingProcess {
  return new Staying(request)
}

class Staying implements StayingProcess {
  readonly ended: Promise<StayingEnd>
  readonly #child: ChildProcess
  readonly #isGroup: boolean
  #complaints = ''
  #isOver = false

  constructor(request: StayingRequest) {
    this.#isGroup = request.containment.kind === 'group'
    this.#child = spawned(request)
    this.ended = this.#untilEnded()
    this.#stream(channel.complaints)?.on('data', (chunk: Buffer) => {
      this.#complaints = (this.#complaints + chunk.toString('utf8')).slice(-longestComplaint)
    })
    // Nothing reads it, and a full pipe would stop bubblewrap.
    this.#stream(channel.namespace)?.resume()
    this.#child.stdin?.on('error', () => undefined)
    const lifeline: unknown = this.#channels[channel.lifeline]
    if (lifeline instanceof Writable) lifeline.on('error', () => undefined).write('go\n')
    rememberLiving(this)
  }

  get complaints(): string {
    return this.#complaints.trim()
  }

  listen(onOutput: (chunk: Uint8Array) => void): void {
    this.#child.stdout?.on('data', onOutput)
  }

  async write(text: string): Promise<void> {
    const { stdin } = this.#child
    if (this.#isOver || stdin === null || stdin.destroyed || stdin.write(text)) return
    const drained = new Promise<void>((resolve) => stdin.once('drain', resolve).once('close', resolve))
    await Promise.race([drained, this.ended])
  }

  async end(graceMs = usualGraceMs): Promise<void> {
    if (this.#isOver) return
    this.#child.stdin?.end()
    if (!(await this.#endsWithin(graceMs))) {
      this.#signal('SIGTERM')
      await this.#endsWithin(graceMs)
    }
    this.endAtOnce()
    await this.#endsWithin(graceMs)
  }

  /** Kills what can be reached at once; for when there is no time left to wait. */
  endAtOnce(): void {
    this.#signal('SIGKILL')
    for (const stream of this.#channels) stream?.destroy()
  }

  async #endsWithin(milliseconds: number): Promise<boolean> {
    using limit = alarm(milliseconds)
    return (await Promise.race([this.ended.then(() => true as const), limit.rung])) === true
  }

  get #channels(): readonly (Readable | Writable | null | undefined)[] {
    return this.#child.stdio
  }

  #stream(index: number): Readable | undefined {
    const stream = this.#channels[index]
    return stream !== null && stream !== undefined && 'read' in stream ? stream : undefined
  }

  #untilEnded(): Promise<StayingEnd> {
    return new Promise((resolve) => {
      const over = (exitCode: number | null) => {
        if (this.#isOver) return
        this.#isOver = true
        forgetLiving(this)
        resolve({ exitCode, complaints: this.complaints })
      }
      this.#child.once('close', (exitCode) => over(exitCode))
      this.#child.once('exit', (exitCode) => {
        // The watcher, and what the program left behind in its group. A namespace has ended with all that was in it.
        if (this.#isGroup) this.#signal('SIGKILL')
        // Its last words are read first, but what has left the group may hold its output open for ever.
        setTimeout(() => over(exitCode), lastWordsMs).unref()
      })
      this.#child.once('error', (error) => {
        this.#complaints = meaningOf(error)
        over(null)
      })
    })
  }

  /** The group of bubblewrap, whose namespace ends with it; without one, the group of the program. */
  #signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      process.kill(-pid, signal)
    } catch (error) {
      // The process has ended, or all that is left of its group belongs to another user.
      if (codeOf(error) !== 'ESRCH' && codeOf(error) !== 'EPERM') throw error
    }
  }
}

function spawned({ words, cwd, variables, containment }: StayingRequest): ChildProcess {
  const inner = ['/bin/sh', '-c', script, 'sh', ...words] as const
  const options = { cwd, detached: true, windowsHide: true }
  if (containment.kind === 'group') {
    return spawn(inner[0], inner.slice(1), { ...options, env: variables, stdio: layout('ignore') })
  }
  const {
    program,
    arguments: args,
    filter,
    owner,
    ...launch
  } = containment.launch({
    words: inner,
    cwd,
    variables,
    statusFd: channel.namespace,
    filterFd: channel.filter,
  })
  const stdio = [...layout('pipe'), 'ignore' as const, ...(filter === undefined ? [] : ['pipe' as const])]
  const child = spawn(program, args, { ...options, ...owner, cwd: launch.cwd, env: launch.variables, stdio })
  const channels: readonly unknown[] = child.stdio
  const filtering = channels[channel.filter]
  if (filtering instanceof Writable) filtering.on('error', () => undefined).end(filter)
  return child
}

/** Input, output and complaints, and from the fourth on the channels as the supervisor has them. */
function layout(namespace: 'ignore' | 'pipe'): ('ignore' | 'pipe')[] {
  return ['pipe', 'pipe', 'pipe', 'ignore', namespace, 'pipe']
}
