import type { AgentEvent } from '@loader/agent'
import { type SessionState, shownText } from '@loader/session-core'

/** Messages of the user that wait to be sent to the model. */
export class Steered {
  readonly #waiting = new Map<string, string>()

  /** Takes the messages that an earlier process left queued. */
  take(state: SessionState | null): void {
    for (const { inputId, text } of state?.queue ?? []) this.#waiting.set(inputId, shownText(text))
  }

  /** The message that an event sends to the model, if it does. */
  see(event: AgentEvent): string | undefined {
    switch (event.type) {
      case 'input.queued':
        if (event.source === 'steering') this.#waiting.set(event.inputId, shownText(event.text))
        return undefined
      case 'input.taken':
      case 'turn.started': {
        const words = this.#waiting.get(event.inputId)
        this.#waiting.delete(event.inputId)
        return words
      }
      case 'input.withdrawn':
        this.#waiting.delete(event.inputId)
        return undefined
      default:
        return undefined
    }
  }
}
