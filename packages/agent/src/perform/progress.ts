import type { AgentEnvironment } from '../stage/environment.ts'
import type { WorkingSession } from '../stage/stage.ts'

const longestDelayMs = 250
const mostCharacters = 4096

/**
 * Writes what arrives of an answer, at most 250 ms or 4 KiB behind what is shown.
 *
 * Invariants:
 * 1. Activity writes, time does not: when nothing arrives, nothing is written, and no timer runs.
 * 2. After `stop` nothing is written any more, on every path; stopping again does nothing.
 */
export class Progress {
  readonly #session: WorkingSession
  readonly #environment: AgentEnvironment
  readonly #requestId: string
  #text = ''
  #reasoning = ''
  #callOff: (() => void) | undefined
  #stopped = false
  /** What went wrong while nobody was waiting. */
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
    this.#callOff ??= this.#environment.after(longestDelayMs, () => this.#flushLater())
  }

  /** Records what has arrived and was not yet recorded. */
  flush(): void {
    this.#callOff?.()
    this.#callOff = undefined
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

  /** Stops, and says what went wrong while nobody was waiting. What was not written yet is part of the whole answer. */
  end(): void {
    this.stop()
    this.#throwFailure()
  }

  stop(): void {
    this.#stopped = true
    this.#callOff?.()
    this.#callOff = undefined
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
