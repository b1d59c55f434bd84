import type { AgentEnvironment } from '../stage/environment.ts'
import type { WorkingSession } from '../stage/stage.ts'

const longestDelayMs = 250
const mostCharacters = 4096

/**
 * Records the deltas of an answer, at most 250 ms or 4 KiB behind what is shown.
 *
 * Invariants:
 * 1. Only new deltas cause writes: while none arrive, nothing is written and no timer runs.
 * 2. After `stop` nothing is written, on any path; a second `stop` has no effect.
 */
export class Progress {
  readonly #session: WorkingSession
  readonly #environment: AgentEnvironment
  readonly #requestId: string
  #text = ''
  #reasoning = ''
  #cancel: (() => void) | undefined
  #stopped = false
  /** An error of a timed write, reported later because no caller was waiting. */
  #failure: { readonly error: unknown } | undefined

  constructor(session: WorkingSession, environment: AgentEnvironment, requestId: string) {
    this.#session = session
    this.#environment = environment
    this.#requestId = requestId
  }

  add(kind: 'text' | 'reasoning', delta: string): void {
    if (this.#stopped || delta === '') return
    this.#throwFailure()
    if (kind === 'text') this.#text += delta
    else this.#reasoning += delta
    if (this.#text.length + this.#reasoning.length >= mostCharacters) {
      this.flush()
      return
    }
    this.#cancel ??= this.#environment.after(longestDelayMs, () => this.#flushLater())
  }

  /** Records the deltas that were not recorded yet. */
  flush(): void {
    this.#cancel?.()
    this.#cancel = undefined
    const [text, reasoning] = [this.#text, this.#reasoning]
    if (this.#stopped || (text === '' && reasoning === '')) return
    this.#text = ''
    this.#reasoning = ''
    this.#session.record({
      type: 'answer.progressed',
      requestId: this.#requestId,
      ...(text !== '' && { text }),
      ...(reasoning !== '' && { reasoning }),
    })
  }

  /** Stops, and throws the error of a timed write if there was one. The complete answer holds the unrecorded deltas. */
  end(): void {
    this.stop()
    this.#throwFailure()
  }

  stop(): void {
    this.#stopped = true
    this.#cancel?.()
    this.#cancel = undefined
  }

  #flushLater(): void {
    try {
      this.flush()
    } catch (error) {
      this.#failure = { error }
    }
  }

  #throwFailure(): void {
    const failure = this.#failure
    this.#failure = undefined
    if (failure !== undefined) throw failure.error
  }
}
