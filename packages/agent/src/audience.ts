import { LoaderError } from '@loader/session-core'
import type { AgentEvent } from './stage/agent-event.ts'

/** The listeners of a run. A throwing listener never interrupts the run; its first error is rethrown at the end. */
export class Audience {
  readonly #onEvent: ((event: AgentEvent) => void) | undefined
  #failure: { readonly error: unknown } | undefined

  constructor(onEvent: ((event: AgentEvent) => void) | undefined) {
    this.#onEvent = onEvent
  }

  readonly tell = (event: AgentEvent): void => {
    try {
      this.#onEvent?.(event)
    } catch (error) {
      this.#failure ??= { error }
    }
  }

  requireNoFailure(sessionId: string): void {
    if (this.#failure === undefined) return
    throw new LoaderError(
      'listener_failed',
      `The turn of session ${sessionId} has ended and is stored, but onEvent threw while it went on. ` +
        'Catch what it throws where it happens.',
      { cause: this.#failure.error },
    )
  }
}
