import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { codeOf } from './file-errors.ts'

/** A process, told apart from every other one, also from a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number
  readonly host: string
  /** What changes when the machine starts again; null where the system does not tell. */
  readonly bootId: string | null
  /** Numbers of processes mean something only within one namespace. */
  readonly pidNamespace: string | null
  readonly startedAt: string | null
}

/** A process as it wrote itself down; undefined when that cannot be read. */
export function parseProcess(bytes: Uint8Array | undefined): ProcessIdentity | undefined {
  if (bytes === undefined) return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
    return isProcess(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isProcess(value: unknown): value is ProcessIdentity {
  if (typeof value !== 'object' || value === null) return false
  const { pid, host, ...others }: Partial<Record<keyof ProcessIdentity, unknown>> = value
  const told = [others.bootId, others.pidNamespace, others.startedAt]
  return (
    typeof pid === 'number' &&
    typeof host === 'string' &&
    told.every((each) => each === null || typeof each === 'string')
  )
}

/** Which processes there are, handed in, so that tests can let them die. */
export interface ProcessTable {
  readonly self: ProcessIdentity
  /** `unknown` for a process on another host or in another namespace. */
  stateOf(process: ProcessIdentity): 'alive' | 'dead' | 'unknown'
}

export function systemProcesses(): ProcessTable {
  const self: ProcessIdentity = {
    pid: process.pid,
    host: hostname(),
    bootId: readOptional('/proc/sys/kernel/random/boot_id'),
    pidNamespace: pidNamespace(),
    startedAt: statusOf(process.pid)?.startedAt ?? null,
  }
  return { self, stateOf: (other) => stateOf(other, self) }
}

function stateOf(other: ProcessIdentity, self: ProcessIdentity): 'alive' | 'dead' | 'unknown' {
  if (other.host !== self.host) return 'unknown'
  if (other.bootId !== self.bootId) return 'dead'
  if (other.pidNamespace !== self.pidNamespace) return 'unknown'
  if (!exists(other.pid)) return 'dead'
  const status = statusOf(other.pid)
  if (status === null) return 'alive'
  return status.hasEnded || (other.startedAt !== null && status.startedAt !== other.startedAt) ? 'dead' : 'alive'
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It is there, but belongs to somebody else.
    if (codeOf(error) === 'EPERM') return true
    if (codeOf(error) === 'ESRCH') return false
    throw error
  }
}

interface Status {
  /** It has ended, and keeps its number only until its parent takes note: it holds nothing any more. */
  readonly hasEnded: boolean
  /** In ticks since the machine started. */
  readonly startedAt: string
}

/** What the system tells of a process; null where it does not tell. */
function statusOf(pid: number): Status | null {
  const stat = readOptional(`/proc/${pid}/stat`)
  // The name of the command comes first and may hold anything but a closing bracket behind it.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, startedAt] = [fields?.[0], fields?.[19]]
  if (state === undefined || startedAt === undefined) return null
  return { hasEnded: state === 'Z' || state === 'X', startedAt }
}

function pidNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}

function readOptional(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}

function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'EACCES', 'ESRCH', 'EINVAL', 'ENOTDIR'].includes(codeOf(error) ?? '')
}
