import { setImmediate as turn } from 'node:timers/promises'

const longestStretchMs = 8

/** Lets the rest of the process have its turn whenever synchronous work has gone on for some milliseconds. */
export function breather(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < longestStretchMs) return undefined
    return turn().then(() => {
      since = performance.now()
    })
  }
}
