import type { Signal } from '@loader/session-core'

export interface AbortSource {
  readonly signal: Signal
  abort(reason?: unknown): void
}

/** The platform's AbortController: every runtime of today has one, but its type comes with Node's or the browser's. */
export function abortSource(): AbortSource {
  const { AbortController } = globalThis as unknown as { readonly AbortController: new () => AbortSource }
  return new AbortController()
}

/** What a promise comes to, or undefined as soon as the signal says stop. Whatever it comes to after that is dropped. */
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
    // Work that hears of the signal may give up before we do.
    if (signal.aborted) return undefined
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
    if (signal.aborted) work.catch(() => undefined)
  }
}
