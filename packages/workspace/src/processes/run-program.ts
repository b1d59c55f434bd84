import { type ChildProcess, spawn } from 'node:child_process'
import type { Signal } from '@loader/session-core'
import { codeOf, meaningOf } from '../paths/system-errors.ts'
import { alarm, type AlarmCause } from './alarm.ts'
import type { ChildVariables } from './child-variables.ts'
import { forgetLiving, rememberLiving } from './living.ts'

export interface ProgramRequest {
  readonly program: string
  readonly arguments: readonly string[]
  readonly cwd: string
  readonly variables: ChildVariables
  readonly timeoutMs: number
  readonly signal?: Signal | undefined
  /** Its standard input; absent means empty. */
  readonly input?: Uint8Array | undefined
  /** Receives the output, until it returns `enough`, which ends the program. */
  onOutput(chunk: Uint8Array): 'more' | 'enough'
}

type ProgramEnding =
  | { readonly how: 'exited'; readonly exitCode: number }
  | { readonly how: 'killed'; readonly signal: string }
  | { readonly how: AlarmCause | 'enough' }
  | { readonly how: 'not_started'; readonly why: string }

/** How a program ended, and what it wrote to stderr. Its output went to `onOutput`. */
export interface EndedProgram {
  readonly ending: ProgramEnding
  /** What it wrote to stderr, cut to a few thousand characters. */
  readonly errors: string
}

const longestComplaint = 4000

/** Runs a known program without a shell: it only reads, and starts no process that could outlive it. */
export async function runProgram(request: ProgramRequest): Promise<EndedProgram> {
  if (request.signal?.aborted) return { ending: { how: 'cancelled' }, errors: '' }
  const child = start(request)
  if (typeof child === 'string') return { ending: { how: 'not_started', why: child }, errors: '' }
  const mortal = { endAtOnce: () => kill(child) }
  rememberLiving(mortal)
  feed(child, request.input)
  let errors = ''
  child.stderr?.on('data', (chunk: Uint8Array) => {
    if (errors.length < longestComplaint) errors += Buffer.from(chunk).toString('utf8').slice(0, longestComplaint)
  })
  try {
    return { ending: await endingOf(child, request), errors }
  } finally {
    kill(child)
    forgetLiving(mortal)
  }
}

function start({ program, arguments: args, cwd, variables, input }: ProgramRequest): ChildProcess | string {
  const stdio = [input === undefined ? ('ignore' as const) : ('pipe' as const), 'pipe' as const, 'pipe' as const]
  try {
    return spawn(program, args, { cwd, env: variables, detached: true, windowsHide: true, stdio })
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return meaningOf(error)
  }
}

/**
 * A program may end before it has read everything: write errors are ignored, because its exit code shows the result.
 */
function feed(child: ChildProcess, input: Uint8Array | undefined): void {
  if (input === undefined) return
  child.stdin?.on('error', (error) => {
    if (codeOf(error) === undefined) throw error
  })
  child.stdin?.end(input)
}

async function endingOf(child: ChildProcess, request: ProgramRequest): Promise<ProgramEnding> {
  const ended = new Promise<ProgramEnding>((resolve) => {
    child.once('error', (error) => resolve({ how: 'not_started', why: meaningOf(error) }))
    child.once('close', (exitCode, signal) => {
      resolve(exitCode === null ? { how: 'killed', signal: String(signal) } : { how: 'exited', exitCode })
    })
  })
  const enough = new Promise<ProgramEnding>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Uint8Array) => {
      try {
        if (request.onOutput(chunk) === 'enough') resolve({ how: 'enough' })
      } catch (error) {
        reject(error)
      }
    })
  })
  using timeout = alarm(request.timeoutMs, request.signal)
  return await Promise.race([ended, enough, timeout.rung.then((how) => ({ how }))])
}

/** Kills its process group as well, with everything that it may have started. */
function kill(child: ChildProcess): void {
  child.stdin?.destroy()
  child.stdout?.destroy()
  child.stderr?.destroy()
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    if (codeOf(error) !== 'ESRCH' && codeOf(error) !== 'EPERM') throw error
  }
}
