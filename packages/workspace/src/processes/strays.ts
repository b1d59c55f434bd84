import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../paths/system-errors.ts'

/** Marks every process of a command, however far it strays from its group. It can be cleared, but rarely is. */
export const markName = 'LOADER_COMMAND'

/** Longer than that a killed process takes only when it waits for a device. */
const longestDyingMs = 2000
const lookAgainMs = 5

/**
 * Kills the processes that carry the mark, until there are none: one that was just being started shows at the next look,
 * one that is dying is waited for. Returns how many there were. Only Linux lets one look.
 */
export async function endStrays(mark: string): Promise<number> {
  const ended = new Set<number>()
  const deadline = performance.now() + longestDyingMs
  for (let strays = killStrays(mark); strays.length > 0; strays = killStrays(mark)) {
    for (const pid of strays) ended.add(pid)
    if (performance.now() > deadline) break
    await sleep(lookAgainMs)
  }
  return ended.size
}

/** Kills those that are there now. */
export function killStrays(mark: string): readonly number[] {
  if (process.platform !== 'linux') return []
  const strays = straysOf(mark)
  for (const pid of strays) endStray(pid)
  return strays
}

function straysOf(mark: string): number[] {
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
    // It has ended, or belongs to somebody else.
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(codeOf(error) ?? '')) return undefined
    throw error
  }
}

function endStray(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}
