import type { Signal } from '@loader/session-core'

/** A timer longer than this would fire at once. */
const longestTimerMs = 2 ** 31 - 1

export type AlarmCause = 'timed_out' | 'cancelled'

/** Resolves after the given time or when the signal aborts, whichever comes first. Must be disposed of. */
export function alarm(ms: number, signal?: Signal): Disposable & { readonly rung: Promise<AlarmCause> } {
  let ring: (cause: AlarmCause) => void = () => undefined
  const rung = new Promise<AlarmCause>((resolve) => {
    ring = resolve
  })
  const timer = setTimeout(() => ring('timed_out'), Math.min(ms, longestTimerMs))
  const cancel = () => ring('cancelled')
  if (signal?.aborted) cancel()
  signal?.addEventListener('abort', cancel)
  return {
    rung,
    [Symbol.dispose]() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
    },
  }
}
