import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { codeOf } from './file-errors.ts'

/** A process, told apart from every other one, also from a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number
  readonly host: string
  /** What changes when the machine starts again; null where the system does not tell. */
  readonly bootId: string | null
  /** What stays when it starts again, and when it gets another name. Absent in what older versions wrote. */
  readonly machineId?: string | null
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
  const told = [others.bootId, others.pidNamespace, others.startedAt, others.machineId ?? null]
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

/** The processes of this machine: what a store asks to know whether a holder of a session still runs. */
export function systemProcesses(): ProcessTable {
  const self: ProcessIdentity = {
    pid: process.pid,
    host: hostname(),
    bootId: readOptional('/proc/sys/kernel/random/boot_id'),
    machineId: machineId(),
    pidNamespace: pidNamespace(),
    startedAt: statusOf(process.pid)?.startedAt ?? null,
  }
  return { self, stateOf: (other) => processState(other, self, { exists, statusOf }) }
}

/** What the system tells of the processes in its own namespace. */
export interface SystemView {
  exists(pid: number): boolean
  /** Null where it does not tell. */
  statusOf(pid: number): Status | null
}

/**
 * Whether a process lives, as this one can tell. Where two runs of machines are known, they decide, and names do not: a
 * laptop gets another name with another network, and two machines can have the same.
 */
export function processState(
  other: ProcessIdentity,
  self: ProcessIdentity,
  system: SystemView,
): 'alive' | 'dead' | 'unknown' {
  if (!isSameRun(other, self)) return isEarlierRun(other, self) ? 'dead' : 'unknown'
  if (other.pidNamespace !== self.pidNamespace) return 'unknown'
  if (!system.exists(other.pid)) return 'dead'
  const status = system.statusOf(other.pid)
  if (status === null) return 'alive'
  return status.hasEnded || (other.startedAt !== null && status.startedAt !== other.startedAt) ? 'dead' : 'alive'
}

/** One machine since one start. Without boot ids there is only the name to go by. */
function isSameRun(other: ProcessIdentity, self: ProcessIdentity): boolean {
  if (other.bootId === null && self.bootId === null) return other.host === self.host
  return other.bootId === self.bootId
}

/** This machine before it was started again. A host's name alone proves nothing: then a caller has to take over. */
function isEarlierRun(other: ProcessIdentity, self: ProcessIdentity): boolean {
  if (other.bootId === null || self.bootId === null) return false
  return typeof other.machineId === 'string' && other.machineId === self.machineId
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process is there, but belongs to another user.
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

/** Made into another number, as the system asks: its own identifies the machine to everybody. */
function machineId(): string | null {
  const id = readOptional('/etc/machine-id')
  if (id === null || !/^[0-9a-f]{32}$/.test(id)) return null
  return createHash('sha256').update(`loader ${id}`).digest('hex').slice(0, 32)
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
