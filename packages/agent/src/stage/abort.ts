import type { Signal } from '@loader/session-core'

export interface AbortSource {
  readonly signal: Signal
  abort(reason?: unknown): void
}

/** The platform's AbortController: every current runtime has one, but its type comes with Node or the browser. */
export function abortSource(): AbortSource {
  const { AbortController } = globalThis as unknown as { readonly AbortController: new () => AbortSource }
  return new AbortController()
}

/** The result of a promise, or undefined as soon as the signal aborts. A later result is dropped. */
export async function untilAborted<Result>(work: Promise<Result>, signal: Signal): Promise<Result | undefined> {
  if (signal.aborted) {
    work.catch(() => undefined)
    return undefined
  }
  let stop = () => {}
  const stopped = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined)
    signal.addEventListener('abort', stop)
  })
  try {
    return await Promise.race([work, stopped])
  } catch (error) {
    // The work may observe the signal too, and reject first.
    if (signal.aborted) return undefined
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
    if (signal.aborted) work.catch(() => undefined)
  }
}
