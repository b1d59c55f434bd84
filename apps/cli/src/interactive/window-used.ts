import { requestSize } from '@loader/compaction'
import type { SessionState } from '@loader/session-core'

/** How much of the model's window the next request would take. Counted again only when the messages have changed. */
export class WindowUsed {
  #messages: SessionState['messages'] | undefined
  #used: number | undefined

  of(state: SessionState | null): number | undefined {
    const size = state?.policy?.model?.contextWindow
    if (state === null || size === undefined || state.messages.length === 0) return undefined
    if (state.messages !== this.#messages) {
      this.#messages = state.messages
      this.#used = requestSize(state).tokens / size
    }
    return this.#used
  }
}
