import type { Environment, History } from '@loader/session-core'

export interface FixedEnvironment extends Environment {
  /** Moves the clock forward. */
  advance(milliseconds: number): void
}

/** When the clock of a test starts, and which ids are taken. */
export interface FixedEnvironmentOptions {
  readonly start?: string
  /** Continues after a history: with later times, and ids that are not in it. For a second process. */
  readonly after?: History
}

/** A clock that advances one second at every reading, and counting ids: `turn_1`, `req_2`, … */
export function fixedEnvironment({ start, after = [] }: FixedEnvironmentOptions = {}): FixedEnvironment {
  const last = after.at(-1)?.at
  let now =
    Date.parse(start ?? last ?? '2026-01-01T00:00:00.000Z') + (start === undefined && last !== undefined ? 1000 : 0)
  let ids = highestNumber(after)
  return {
    now() {
      const time = new Date(now).toISOString()
      now += 1000
      return time
    },
    newId(prefix) {
      ids += 1
      return `${prefix}_${ids}`
    },
    advance(milliseconds) {
      now += milliseconds
    },
  }
}

function highestNumber(history: History): number {
  const numbers = JSON.stringify(history).matchAll(/_(\d{1,15})"/g)
  return [...numbers].reduce((highest, [, digits]) => Math.max(highest, Number(digits)), 0)
}
