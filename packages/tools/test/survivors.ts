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

export function killAll(pids: readonly number[]): void {
  for (const pid of pids) process.kill(pid, 'SIGKILL')
}

/** Starts children, grandchildren, and some that leave its group: for good, twice over, and without their environment. */
export function familyCommand(sleep: string, options: { readonly forgetful: boolean }): string {
  return `
    sleep ${sleep} &
    bash -c 'sleep ${sleep} & sleep ${sleep}; true' &
    setsid sleep ${sleep} &
    setsid bash -c 'trap "" TERM HUP; (sleep ${sleep} &) ; sleep ${sleep}; true' &
    setsid bash -c 'nohup setsid sleep ${sleep} >/dev/null 2>&1 &' &
    ${options.forgetful ? `env -i setsid sleep ${sleep} &` : ''}
    sleep 0.05; echo ready; wait`
}
