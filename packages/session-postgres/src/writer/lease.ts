import { LoaderError } from '@loader/session-core'

/** The share of a lease that is kept back: so long before its end nothing more is begun. */
const margin = 1 / 6
/** How often in a lease it is renewed. */
const renewals = 3

export interface LeaseParts {
  readonly id: string
  readonly leaseMs: number
  /** Milliseconds that never go back. */
  readonly clock: () => number
  /** Asks the database for more time. Resolves to false when there is no more to be had. */
  readonly renew: () => Promise<boolean>
}

/**
 * How long a claim may be counted on, as its holder can know: from the moment before the database was asked. The database
 * alone decides whether something is written; this says when the holder has to stop what it does elsewhere.
 */
export class Lease {
  readonly #parts: LeaseParts
  readonly #lost = new AbortController()
  #until: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #isOver = false

  constructor(parts: LeaseParts, since: number) {
    this.#parts = parts
    this.#until = since + parts.leaseMs
    this.#wait()
  }

  /** Aborted when the session may belong to somebody else from now on, with the error that says why. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** Milliseconds that are left to do something in. */
  get left(): number {
    const { clock, leaseMs } = this.#parts
    return this.#until - leaseMs * margin - clock()
  }

  /** The database has given a whole lease to a statement that was sent then. */
  renewed(since: number): void {
    this.#until = Math.max(this.#until, since + this.#parts.leaseMs)
  }

  lose(reason: LoaderError): void {
    this.end()
    if (!this.#lost.signal.aborted) this.#lost.abort(reason)
  }

  end(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  #wait(): void {
    const { leaseMs } = this.#parts
    this.#timer = setTimeout(() => void this.#look(), leaseMs / renewals / 2)
    this.#timer.unref()
  }

  async #look(): Promise<void> {
    const { leaseMs, id } = this.#parts
    if (this.left <= 0) {
      const message =
        `The lease of session ${id} could not be renewed: the database did not answer in time. ` +
        'Somebody else may go on with it; load it again.'
      return this.lose(new LoaderError('writer_fenced', message))
    }
    // What was written lately has renewed it.
    if (this.left < leaseMs * (1 - margin - 1 / renewals / 2)) await this.#renew()
    if (!this.#isOver) this.#wait()
  }

  async #renew(): Promise<void> {
    const { clock, renew } = this.#parts
    const since = clock()
    try {
      if (await renew()) this.renewed(since)
    } catch {
      // It is asked again while there is time; then it is lost, which is told.
    }
  }
}
