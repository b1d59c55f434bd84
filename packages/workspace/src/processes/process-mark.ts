import { readFileSync, readlinkSync } from 'node:fs'
import { codeOf } from '../paths/system-errors.ts'

/**
 * An identifier of this process by which others can tell later whether it lives. A pid alone is not enough: pids are
 * reused, containers have their own, and all are new after a restart.
 */
export function ownMark(): string {
  own ??= `${process.pid}-${startOf('self') ?? '0'}-${namespace()}-${boot()}`
  return own
}

let own: string | undefined

/** The same of another process, if it lives. Where systems tell no start time, its number is all that there is. */
export function markOf(pid: number): string | undefined {
  const start = startOf(String(pid)) ?? (process.platform !== 'linux' && isAlive(pid) ? '0' : undefined)
  return start === undefined ? undefined : `${pid}-${start}-${namespace()}-${boot()}`
}

/** The pid in a mark. It may belong to another process by now. */
export function pidOf(mark: string): number {
  return Number(/^\d+/.exec(mark)?.[0] ?? 0)
}

/** Whether exactly this process lives, and can be seen from here: only then may it be sent a signal. */
export function isThere(mark: string): boolean {
  return pidOf(mark) > 1 && markOf(pidOf(mark)) === mark
}

/** False only when the process is certainly gone. A process that we cannot see may live. */
export function mayLive(mark: string): boolean {
  const [, pid = '', start = '', space = '', bootId = ''] = /^(\d+)-(\d+)-(\d+)-([0-9a-f]+)$/.exec(mark) ?? []
  if (pid === '') return true
  if (bootId !== boot()) return false
  if (space !== namespace()) return true
  if (!isAlive(Number(pid))) return false
  return start === '0' || start === startOf(pid)
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}

/** In clock ticks since the machine started. The process name before it may contain anything, parentheses included. */
function startOf(pid: string): string | undefined {
  const text = systemText(`/proc/${pid}/stat`)
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')[19]
}

function namespace(): string {
  return system(() => /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0]) ?? '0'
}

/** This start of the machine. Constant where the system does not tell. */
export function boot(): string {
  return systemText('/proc/sys/kernel/random/boot_id')?.slice(0, 8) ?? '0'
}

function systemText(path: string): string | undefined {
  return system(() => readFileSync(path, 'utf8'))
}

/** Only Linux has these files, and they are not always readable. */
function system<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}
