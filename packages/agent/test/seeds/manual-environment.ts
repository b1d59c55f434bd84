import type { AgentEnvironment } from '../../src/index.ts'
import { localEnvironment } from '../../src/local.ts'

export interface ManualEnvironment extends AgentEnvironment {
  /** How many things are to happen later. */
  readonly pending: number
  /** Lets time pass, and what is due happen. */
  pass(milliseconds: number): void
}

/** An environment in which time passes only when it is told to. */
export function manualEnvironment(): ManualEnvironment {
  const real = localEnvironment()
  const timers = new Set<{ readonly at: number; readonly work: () => void }>()
  const start = Date.parse(real.now())
  let passed = 0
  let looks = 0
  return {
    newId: (prefix) => real.newId(prefix),
    now() {
      looks += 1
      return new Date(start + passed + looks).toISOString()
    },
    after(milliseconds, work) {
      const timer = { at: passed + milliseconds, work }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    get pending() {
      return timers.size
    },
    pass(milliseconds) {
      passed += milliseconds
      for (const timer of [...timers].filter(({ at }) => at <= passed)) {
        timers.delete(timer)
        timer.work()
      }
    },
  }
}
