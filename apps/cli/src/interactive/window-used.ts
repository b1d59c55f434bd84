import { requestSize } from '@loader/compaction'
import type { SessionState } from '@loader/session-core'

/** The share of the model's window that the next request would use. Computed again only if the messages changed. */
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
