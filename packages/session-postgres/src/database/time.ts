/** The clock of a store. It decides when to ask again and when to stop; the database decides which writes are stored. */
export interface Time {
  /** Milliseconds that never go back. */
  readonly now: () => number
  /** Calls back once, after so many milliseconds, until what it returns is called. */
  readonly after: (ms: number, work: () => void) => () => void
}

/** The longest that a timer of this platform waits; one that is asked for more would not wait at all. */
const longest = 2 ** 31 - 1

/** The time of this process. What waits for it keeps the process alive. */
export const systemTime: Time = {
  now: () => performance.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, Math.min(ms, longest))
    return () => clearTimeout(timer)
  },
}

/** The same; what waits for it does not keep the process alive. */
export function inBackground(time: Time): Time {
  if (time !== systemTime) return time
  return {
    now: time.now,
    after: (ms, work) => {
      const timer = setTimeout(work, Math.min(ms, longest)).unref()
      return () => clearTimeout(timer)
    },
  }
}

export function pause({ after }: Time, ms: number): Promise<void> {
  return new Promise((resolve) => after(ms, resolve))
}
