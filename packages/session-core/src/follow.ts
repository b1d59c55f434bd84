import type { Signal } from './ports/environment.ts'

/** A sequence that grows. */
interface Growing<Item> {
  /** The next item, or undefined while there is none. */
  take(): Item | undefined
  /** Calls `tell` at every change, until the returned function is called. */
  onChange(tell: () => void): () => void
}

/**
 * The items of a growing sequence, as they arrive. It ends when the consumer stops or the signal aborts, also while
 * waiting, and then removes all its listeners.
 */
export function follow<Item>(growing: Growing<Item>, signal: Signal | undefined): AsyncIterableIterator<Item> {
  let isStopped = signal?.aborted ?? false
  let wake = () => {}
  const stop = () => {
    isStopped = true
    wake()
  }
  const items = (async function* () {
    const forget = growing.onChange(() => wake())
    signal?.addEventListener('abort', stop)
    try {
      while (!isStopped) {
        const item = growing.take()
        if (item !== undefined) yield item
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      signal?.removeEventListener('abort', stop)
      forget()
    }
  })()
  return {
    next: () => items.next(),
    return() {
      stop()
      return items.return(undefined)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
