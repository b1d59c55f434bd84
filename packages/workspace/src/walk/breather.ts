import { setImmediate as turn } from 'node:timers/promises'

const longestStretchMs = 8

/** Yields to other work of the process after some milliseconds of synchronous work. */
export function breather(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < longestStretchMs) return undefined
    return turn().then(() => {
      since = performance.now()
    })
  }
}
