import { readdirSync, readFileSync } from 'node:fs'

let count = 0

/** A duration for `sleep` that no other process uses, so that the processes of a test can be found. */
export function rareSleep(): string {
  count += 1
  return `3000.${process.pid}${String(count).padStart(4, '0')}`
}

/** Every process of the machine with this text among its arguments. */
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
    // The process has ended meanwhile.
    if (error instanceof Error && /ENOENT|ESRCH/.test(error.message)) return ''
    throw error
  }
}
