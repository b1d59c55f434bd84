import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** Why system calls cannot be traced here, or undefined when they can. */
export function untraceable(): string | undefined {
  if (process.platform !== 'linux') return 'strace is for Linux'
  const { error, status, stderr } = spawnSync('strace', ['-o', '/dev/null', 'true'], { encoding: 'utf8' })
  if (error !== undefined) return 'strace is not installed'
  return status === 0 ? undefined : `strace cannot trace here: ${stderr}`
}

/** Which thread of Node makes a system call. */
export type Thread = 'main' | 'pool'

/** The threads that work with files, by what they do; there is one in the pool. */
export function threadsOf(pid: number): Readonly<Record<Thread, number>> {
  const ids = readdirSync(`/proc/${pid}/task`).map(Number)
  const named = ids.find((id) => readFileSync(`/proc/${pid}/task/${id}/comm`, 'utf8').trim() === 'libuv-worker')
  return { main: pid, pool: named ?? Math.max(...ids) }
}

/** strace on a thread or, with `-f`, on all of a process. Resolves when it has it. */
export async function attach(id: number, options: readonly string[]): Promise<ChildProcess> {
  const tracer = spawn('strace', ['-p', String(id), ...options], { stdio: ['ignore', 'ignore', 'pipe'] })
  if (tracer.stderr === null) throw new Error('strace has no stderr.')
  const said: string[] = []
  for await (const line of createInterface({ input: tracer.stderr })) {
    said.push(line)
    if (line.includes(' attached')) return tracer
  }
  throw new Error(`strace could not attach: ${said.join(' ')}`)
}

export interface SystemCall {
  readonly threadId: number
  readonly name: string
  readonly arguments: string
}

/** The calls of a trace that was written with `-f`, in order. */
export function callsIn(trace: string): SystemCall[] {
  return trace.split('\n').flatMap((line) => {
    const [, thread, name, rest] = /^(\d+) +(\w+)\((.*)$/.exec(line) ?? []
    return thread === undefined || name === undefined ? [] : [{ threadId: Number(thread), name, arguments: rest ?? '' }]
  })
}

export async function ended(child: ChildProcess): Promise<NodeJS.Signals | number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.signalCode ?? child.exitCode
}
