import { readdirSync, readFileSync } from 'node:fs'

let count = 0

/** A time to sleep that no other process sleeps, so that those that do can be found. */
export function rareSleep(): string {
  count += 1
  return `3000.${process.pid}${String(count).padStart(4, '0')}`
}

/** Every process of the machine that has this text among its arguments. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && argumentsOf(pid).includes(text))
}

function argumentsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch (error) {
    // It has ended in the meantime.
    if (error instanceof Error && /ENOENT|ESRCH/.test(error.message)) return ''
    throw error
  }
}
