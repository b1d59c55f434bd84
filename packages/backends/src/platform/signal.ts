import type { Signal } from '@loader/session-core'

/** The result of the work. If the signal aborts first, its reason is thrown and the result is ignored. */
export async function unlessAborted<Result>(work: PromiseLike<Result>, signal: Signal | undefined): Promise<Result> {
  if (signal === undefined) return work
  let stop = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason)
    if (signal.aborted) stop()
  })
  signal.addEventListener('abort', stop)
  try {
    return await Promise.race([work, aborted])
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** A signal that aborts when either one does. */
export function eitherSignal(signal: Signal, other: Signal | undefined): Signal {
  return other === undefined ? signal : AbortSignal.any([signal, other])
}
