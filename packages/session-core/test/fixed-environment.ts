import type { Environment } from '../src/index.ts'

/** A clock that ticks a second at a time, and ids that count. */
export function fixedEnvironment(): Environment {
  let ticks = 0
  let ids = 0
  return {
    now: () => new Date(Date.UTC(2026, 0, 1) + 1000 * ticks++).toISOString(),
    newId: (prefix) => `${prefix}_${(ids += 1)}`,
  }
}
