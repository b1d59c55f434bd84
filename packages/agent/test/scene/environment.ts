import type { AgentEnvironment } from '../../src/index.ts'
import { localEnvironment } from '../../src/local.ts'

/** Times at which something is to happen, as they were asked for. */
export interface QuickEnvironment extends AgentEnvironment {
  readonly delays: readonly number[]
}

/**
 * The clock of this machine, on which whoever waits is there at once: the clock goes on by that time. No two looks at it
 * show the same.
 */
export function quickEnvironment(): QuickEnvironment {
  const real = localEnvironment()
  const delays: number[] = []
  let ahead = 0
  let last = 0
  return {
    delays,
    newId: (prefix) => real.newId(prefix),
    now: () => {
      last = Math.max(last + 1, Date.parse(real.now()) + ahead)
      return new Date(last).toISOString()
    },
    after(milliseconds, work) {
      delays.push(milliseconds)
      return real.after(0, () => {
        ahead += milliseconds
        work()
      })
    },
  }
}
