import { setTimeout as sleep } from 'node:timers/promises'
import { isThere, mayLive } from '../processes/process-mark.ts'
import { signalExactly } from './keeper.ts'
import { readRecord, standingOf, writeStop } from './record.ts'

const graceMs = 3000
const longestEndMs = 5000
const pollMs = 20

/** Ends a command that another process owns: by the process that was written down, if it still is that one. */
export async function stopCommand(folder: string, how: 'stopped' | 'closed' = 'stopped'): Promise<boolean> {
  const record = readRecord(folder)
  if (record === undefined || standingOf(record) !== 'goes_on') return true
  const { leader, owner } = record
  writeStop(folder, how)
  if (leader !== undefined) {
    signalExactly(leader, 'SIGTERM', 'group')
    await until(() => !isThere(leader) || isOver(folder), graceMs)
    if (!isOver(folder)) signalExactly(leader, 'SIGKILL', 'group')
    // The first process of a namespace: all others in it end with it.
    if (!isOver(folder)) signalExactly(leader, 'SIGKILL', 'process')
  }
  // Its owner writes down how it ended.
  await until(() => isOver(folder) || !mayLive(owner), longestEndMs)
  return leader === undefined || !isThere(leader)
}

function isOver(folder: string): boolean {
  return readRecord(folder)?.ended !== undefined
}

async function until(isSo: () => boolean, mostMs: number): Promise<void> {
  const deadline = performance.now() + mostMs
  while (!isSo() && performance.now() < deadline) await sleep(pollMs)
}
