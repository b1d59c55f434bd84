/** A moment at which a process can die: after what came before it, and before anything that follows. */
export interface Boundary {
  /** Counted from 1, in the order of the run. */
  readonly number: number
  /** claim, append, save, blob, release, delete, effect, or what the scenario calls it. */
  readonly kind: string
  /** In words, such as `after append tool.started`. */
  readonly label: string
}

export interface LifeOptions {
  /** The boundary to die at; null for none. */
  readonly killAt: number | null
  readonly onBoundary?: (boundary: Boundary) => void
  /** Kills the program. After it returns, code that still runs gets no answers any more. */
  readonly kill: () => void
}

/** One life of the program under test, up to its end or to the boundary where it is killed. */
export class Life {
  readonly #options: LifeOptions
  #passed = 0
  #isAlive = true

  constructor(options: LifeOptions) {
    this.#options = options
  }

  boundary(kind: string, label: string): Promise<void> {
    return this.#pass(kind, label) ? Promise.resolve() : never()
  }

  /** Runs work with a boundary before and after it, also when it fails. Work of a killed program is not started. */
  async around<Result>(kind: string, label: string, work: () => Result | Promise<Result>): Promise<Result> {
    if (!this.#pass(kind, `before ${label}`)) return never()
    try {
      return await work()
    } finally {
      await this.boundary(kind, `after ${label}`)
    }
  }

  /** Runs work without effects, which needs no boundaries. A killed program does not see its result either. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    if (!this.#isAlive) return never()
    const result = await work()
    return this.#isAlive ? result : never()
  }

  #pass(kind: string, label: string): boolean {
    if (!this.#isAlive) return false
    this.#passed += 1
    this.#options.onBoundary?.({ number: this.#passed, kind, label })
    if (this.#passed !== this.#options.killAt) return true
    this.#isAlive = false
    this.#options.kill()
    return false
  }
}

function never(): Promise<never> {
  return new Promise(() => undefined)
}
