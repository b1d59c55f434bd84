import type { Signal } from '@loader/session-core'

/** The work, unless the signal aborts first: then its reason is thrown, whatever the work makes of it. */
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

/** A signal that aborts when either does. */
export function eitherSignal(signal: Signal, other: Signal | undefined): Signal {
  return other === undefined ? signal : AbortSignal.any([signal, other])
}
