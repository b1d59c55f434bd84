/** Calls that wait until the test releases them. */
export interface HeldCalls {
  /** The number of waiting calls. */
  readonly waiting: number
  /** Releases the oldest call. */
  completeNext(): void
  /** Releases all calls, and stops holding. */
  release(): void
}

/** Passes work on in the order of its arrival, or holds it. */
export class Gate {
  readonly #start: (work: () => void) => void
  readonly #waiting: (() => void)[] = []
  #held = false

  constructor(start: (work: () => void) => void) {
    this.#start = start
  }

  pass(work: () => void): void {
    if (this.#held) this.#waiting.push(work)
    else this.#start(work)
  }

  hold(): HeldCalls {
    this.#held = true
    const waiting = this.#waiting
    return {
      get waiting() {
        return waiting.length
      },
      completeNext: () => this.#startOldest(),
      release: () => {
        this.#held = false
        while (waiting.length > 0) this.#startOldest()
      },
    }
  }

  #startOldest(): void {
    const work = this.#waiting.shift()
    if (work) this.#start(work)
  }
}
