import type { SessionEvent } from './events/event.ts'
import { LoaderError } from './words/errors.ts'

type Listener = (event: SessionEvent) => void

/**
 * The subscribers of a session's events. A listener that throws does not stop the others from being called; its error
 * is reported at the end.
 */
export class Listeners {
  readonly #listeners = new Set<Listener>()
  readonly #onError: ((error: unknown, event: SessionEvent) => void) | undefined
  #failure: { readonly error: unknown } | undefined

  constructor(onError: ((error: unknown, event: SessionEvent) => void) | undefined) {
    this.#onError = onError
  }

  /** Returns a function that removes the listener. The same function can be added twice. */
  add(listener: Listener): () => void {
    const own: Listener = (event) => listener(event)
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  tell(event: SessionEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event)
      } catch (error) {
        this.#report(error, event)
      }
    }
  }

  #report(error: unknown, event: SessionEvent): void {
    try {
      if (this.#onError === undefined) throw error
      this.#onError(error, event)
    } catch (unreported) {
      this.#failure ??= { error: unreported }
    }
  }

  requireNoFailure(sessionId: string): void {
    if (this.#failure === undefined) return
    throw new LoaderError(
      'listener_failed',
      `A subscriber of session ${sessionId} threw while it was told about an event. Everything is saved. ` +
        'Pass onListenerError to handle this where it happens.',
      { cause: this.#failure.error },
    )
  }
}
