import type { Signal } from '@loader/session-core'

/** The result of the work. If the signal aborts first, its reason is thrown. */
export async function unlessAborted<Result>(work: Promise<Result>, signal: Signal | undefined): Promise<Result> {
  if (signal === undefined) return work
  throwIfAborted(signal)
  let stop = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(reasonOf(signal))
  })
  signal.addEventListener('abort', stop)
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

export function throwIfAborted(signal: Signal | undefined): void {
  if (signal?.aborted) throw reasonOf(signal)
}

function reasonOf({ reason }: Signal): unknown {
  return reason ?? Object.assign(new Error('The request was aborted.'), { name: 'AbortError' })
}
