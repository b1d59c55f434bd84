import { fold, LoaderError, type SessionState, type StoredEvent } from '@loader/session-core'

/** The state of a session as its writer knows it, folded only when it is asked for. */
export class LatestState {
  #state: SessionState | null
  #since: StoredEvent[]

  constructor(state: SessionState | null, since: readonly StoredEvent[]) {
    this.#state = state
    this.#since = [...since]
  }

  add(events: readonly StoredEvent[]): void {
    for (const event of events) this.#since.push(event)
  }

  /** A state that is older than the known one says nothing new, and is ignored. */
  set(state: SessionState): void {
    if (this.#state !== null && state.seq < this.#state.seq) return
    this.#state = state
    this.#since = this.#since.filter(({ seq }) => seq > state.seq)
  }

  /** Null when the events are none that fold: a store keeps what it is given. */
  current(): SessionState | null {
    try {
      this.#state = fold(this.#since, this.#state)
      this.#since = []
      return this.#state
    } catch (error) {
      if (LoaderError.is(error, 'impossible_event')) return null
      throw error
    }
  }
}
