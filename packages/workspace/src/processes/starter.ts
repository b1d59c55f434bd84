import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { Socket } from 'node:net'
import { codeOf } from '../paths/system-errors.ts'
import { alarm } from './alarm.ts'
import { forgetLiving, rememberLiving } from './living.ts'
import { type EndedProgram, type ProgramRequest, runProgram } from './run-program.ts'

/**
 * Runs a program like `runProgram`, but lets a small process start it. The system copies the tables of a process's memory to
 * start another one: milliseconds, during which nothing else happens here, where this process holds 200 MiB, and none where
 * a shell does it. For programs that are run again and again, without input, and may be run twice for one result.
 *
 * 1. The shell does what it is told through its standard input, and ends with it: it outlives this process by nothing.
 * 2. It runs one program at a time. While it does, and where it cannot, the program is started here.
 * 3. A program that is stopped takes the shell with it, as one group of processes. The next program gets another one.
 */
export async function runOften(request: ProgramRequest): Promise<EndedProgram> {
  const script = scriptFor(request)
  // The first program of all is not yet one of many.
  const isFirst = !wasAsked
  wasAsked = true
  if (isFirst || script === undefined || shell?.isBusy === true) return await runProgram(request)
  if (request.signal?.aborted) return { ending: { how: 'cancelled' }, errors: '' }
  shell ??= Shell.start()
  if (shell === undefined) return await runProgram(request)
  return (await shell.run(script, request)) ?? (await runProgram(request))
}

let wasAsked = false
let shell: Shell | undefined

const longestComplaint = 4000
const name = /^[A-Za-z_][A-Za-z0-9_]*$/

/** The command in words of a shell; undefined where they cannot say it. */
function scriptFor({ program, arguments: args, cwd, variables, input }: ProgramRequest): string | undefined {
  const given = Object.entries(variables).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  )
  if (process.platform !== 'linux' || input !== undefined || given.some(([key]) => !name.test(key))) return undefined
  const exported = given.map(([key, value]) => `export ${key}=${quoted(value)} && `)
  return `cd ${quoted(cwd)} && ${exported.join('')}exec ${[program, ...args].map(quoted).join(' ')}`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

class Shell {
  readonly #child: ChildProcessWithoutNullStreams
  /** Stands behind the output of a program, on both pipes. No program knows it. */
  readonly #mark = randomBytes(16).toString('hex')
  #isBusy = false
  #isGone = false
  #onClose: () => void = () => undefined

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child
    const forget = () => this.#forget()
    child.once('error', forget)
    child.once('exit', forget)
    child.once('close', () => this.#onClose())
    // The shell ended while it was told something; that shows in what it answers.
    child.stdin.on('error', forget)
    this.#hold('unref')
  }

  static start(): Shell | undefined {
    try {
      const child = spawn('/bin/sh', ['-s'], { cwd: '/', env: {}, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
      return child.pid === undefined ? (child.once('error', () => undefined), undefined) : new Shell(child)
    } catch (error) {
      if (codeOf(error) === undefined) throw error
      return undefined
    }
  }

  get isBusy(): boolean {
    return this.#isBusy
  }

  /** Undefined where the shell ended before the program had said anything: then it may not even have begun. */
  async run(script: string, request: ProgramRequest): Promise<EndedProgram | undefined> {
    this.#isBusy = true
    this.#hold('ref')
    const mortal = { endAtOnce: () => this.#kill() }
    rememberLiving(mortal)
    const told: { errors: string } = { errors: '' }
    try {
      using timeout = alarm(request.timeoutMs, request.signal)
      const answer = this.#answer(request, told)
      const mark = `printf '\\n${this.#mark} %d\\n'`
      this.#child.stdin.write(`( ${script} ) </dev/null; code=$?; ${mark} $code; ${mark} 0 >&2\n`)
      const ending = await Promise.race([answer, timeout.rung.then((how) => ({ how }))])
      if (ending !== undefined && ending.how !== 'exited' && ending.how !== 'killed') this.#kill()
      return ending && { ending, errors: told.errors }
    } finally {
      forgetLiving(mortal)
      this.#child.stdout.removeAllListeners('data')
      this.#child.stderr.removeAllListeners('data')
      this.#isBusy = false
      this.#hold('unref')
    }
  }

  #answer(request: ProgramRequest, told: { errors: string }): Promise<EndedProgram['ending'] | undefined> {
    return new Promise((resolve, reject) => {
      let exitCode: number | undefined
      let hasErrors = false
      let isBegun = false
      const settle = () => {
        if (exitCode === undefined || !hasErrors) return
        resolve({ how: 'exited', exitCode })
      }
      const output = upTo(this.#mark, (chunk) => {
        isBegun = true
        try {
          if (request.onOutput(chunk) === 'enough') resolve({ how: 'enough' })
        } catch (error) {
          this.#kill()
          reject(error)
        }
      })
      const errors = upTo(this.#mark, (chunk) => {
        if (told.errors.length < longestComplaint)
          told.errors += Buffer.from(chunk).toString('utf8').slice(0, longestComplaint)
      })
      this.#child.stdout.on('data', (chunk: Buffer) => {
        exitCode ??= output(chunk)
        settle()
      })
      this.#child.stderr.on('data', (chunk: Buffer) => {
        hasErrors ||= errors(chunk) !== undefined
        settle()
      })
      this.#onClose = () => resolve(isBegun ? { how: 'killed', signal: 'SIGKILL' } : undefined)
      if (this.#isGone) resolve(undefined)
    })
  }

  #kill(): void {
    this.#forget()
    const { pid } = this.#child
    if (pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch (error) {
      if (codeOf(error) !== 'ESRCH' && codeOf(error) !== 'EPERM') throw error
    }
  }

  #forget(): void {
    this.#isGone = true
    if (shell === this) shell = undefined
  }

  /** An idle shell keeps no process alive. */
  #hold(how: 'ref' | 'unref'): void {
    this.#child[how]()
    for (const pipe of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) {
      if (pipe instanceof Socket) pipe[how]()
    }
  }
}

/** Hands on what comes, without the mark at its end; gives the number behind the mark, once it is there. */
function upTo(mark: string, take: (chunk: Uint8Array) => void): (chunk: Buffer) => number | undefined {
  const line = `\n${mark} `
  let held: Buffer = Buffer.alloc(0)
  return (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    const from = Math.max(0, held.length - line.length - longestCode)
    const tail = held.subarray(from).toString('latin1')
    const marked = tail.lastIndexOf(line)
    const at = marked >= 0 ? marked : beginningOf(line, tail)
    if (from + at > 0) take(held.subarray(0, from + at))
    held = held.subarray(from + at)
    return marked >= 0 && /\d\n$/.test(tail) ? Number(tail.slice(marked + line.length)) : undefined
  }
}

/** "255" and the end of the line. */
const longestCode = 4

/** Where the line may have begun that is not whole yet; else the end. */
function beginningOf(line: string, tail: string): number {
  const at = tail.lastIndexOf('\n')
  return at >= 0 && line.startsWith(tail.slice(at)) ? at : tail.length
}
