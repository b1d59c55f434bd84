/** Calls that wait until the test lets them go on. */
export interface HeldCalls {
  /** How many wait. */
  readonly waiting: number
  /** Lets the oldest go on. */
  completeNext(): void
  /** Lets all go on, and holds back no more. */
  release(): void
}

/** Lets work through in the order in which it came, or holds it back. */
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
