import type { AgentEvent } from '@loader/agent'
import { shownText } from '@loader/session-core'

/** Only the beginning is shown. */
const mostKept = 1_000

/** What the model thought, to be shown in one line above what it said next. */
export class Thoughts {
  #request = ''
  #text = ''
  /** Whether thoughts of this request were shown while they arrived. */
  #isShown = false

  /** The beginning of thoughts that have just ended; undefined if none have. */
  see(event: AgentEvent): string | undefined {
    switch (event.type) {
      case 'model.asked':
        this.#request = event.requestId
        this.#text = ''
        this.#isShown = false
        return undefined
      case 'delta.reasoning':
        if (event.requestId === this.#request && this.#text.length < mostKept) this.#text += event.text
        return undefined
      case 'delta.text':
      case 'delta.call':
      case 'model.failed':
      case 'model.interrupted':
        return this.#end()
      case 'model.answered': {
        if (event.requestId !== this.#request || (this.#text === '' && !this.#isShown)) {
          this.#text = event.content.map((part) => (part.type === 'reasoning' ? shownText(part.text) : '')).join('\n')
        }
        return this.#end()
      }
      default:
        return undefined
    }
  }

  #end(): string | undefined {
    const text = this.#text.trim()
    this.#text = ''
    if (text === '') return undefined
    this.#isShown = true
    return text
  }
}
