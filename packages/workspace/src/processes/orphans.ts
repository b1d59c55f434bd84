import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../paths/system-errors.ts'

/**
 * An environment variable that marks every process of a command, also those that left its group. A process could remove
 * it, but rarely does.
 */
export const markName = 'LOADER_COMMAND'

/** A killed process takes longer than this only when it waits for a device. */
const longestDyingMs = 2000
const lookAgainMs = 5

/**
 * Kills the processes that carry the mark until none is left: a process that was just being started is found in the
 * next round, a dying one is waited for. Returns how many there were. Works only on Linux.
 */
export async function endOrphans(mark: string): Promise<number> {
  const ended = new Set<number>()
  const deadline = performance.now() + longestDyingMs
  for (let orphans = killOrphans(mark); orphans.length > 0; orphans = killOrphans(mark)) {
    for (const pid of orphans) ended.add(pid)
    if (performance.now() > deadline) break
    await sleep(lookAgainMs)
  }
  return ended.size
}

/** Kills the processes that carry the mark now. */
export function killOrphans(mark: string): readonly number[] {
  if (process.platform !== 'linux') return []
  const orphans = orphansOf(mark)
  for (const pid of orphans) endOrphan(pid)
  return orphans
}

function orphansOf(mark: string): number[] {
  const entry = Buffer.from(`${markName}=${mark}\0`)
  return processNumbers().filter((pid) => environmentOf(pid)?.includes(entry))
}

function processNumbers(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

function environmentOf(pid: number): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/environ`)
  } catch (error) {
    // The process has ended, or belongs to another user.
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(codeOf(error) ?? '')) return undefined
    throw error
  }
}

function endOrphan(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}
