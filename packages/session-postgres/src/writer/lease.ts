import { LoaderError } from '@loader/session-core'
import type { Time } from '../database/time.ts'

/** The share of a lease that is kept back: so long before its end nothing more is begun. */
const margin = 1 / 6
/** How often in a lease it is renewed. */
const renewals = 3

export interface LeaseParts {
  readonly id: string
  readonly leaseMs: number
  readonly time: Time
  /** Asks the database for more time. Resolves to false when there is no more to be had. */
  readonly renew: () => Promise<boolean>
}

/**
 * How long a claim may be counted on, as its holder can know: from the moment before the database was asked. The database
 * alone decides whether something is written; this says when the holder has to stop what it does elsewhere.
 *
 * The end is waited for by itself: an answer about more time, which may come late or never, cannot delay it.
 */
export class Lease {
  readonly #parts: LeaseParts
  readonly #lost = new AbortController()
  #until: number
  #stopEnd: () => void = () => {}
  #stopRenewal: () => void = () => {}
  #isOver = false

  constructor(parts: LeaseParts, since: number) {
    this.#parts = parts
    this.#until = since + parts.leaseMs
    this.#awaitEnd()
    this.#awaitRenewal()
  }

  /** Aborted when the session may belong to another writer from now on, with the error that says why. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** Milliseconds that are left to do something in. */
  get left(): number {
    const { time, leaseMs } = this.#parts
    return this.#until - leaseMs * margin - time.now()
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
    this.#stopEnd()
    this.#stopRenewal()
  }

  #awaitEnd(): void {
    this.#stopEnd = this.#parts.time.after(Math.max(this.left, 0) + 1, () => {
      if (this.left > 0) return this.#awaitEnd()
      const message =
        `The lease of session ${this.#parts.id} could not be renewed: the database did not answer in time. ` +
        'Another process may go on with it; load it again.'
      this.lose(new LoaderError('writer_fenced', message))
    })
  }

  #awaitRenewal(): void {
    const { leaseMs, time } = this.#parts
    this.#stopRenewal = time.after(leaseMs / renewals / 2, () => void this.#look())
  }

  async #look(): Promise<void> {
    // What was written lately has renewed it.
    if (this.left < this.#parts.leaseMs * (1 - margin - 1 / renewals / 2)) await this.#renew()
    if (!this.#isOver) this.#awaitRenewal()
  }

  async #renew(): Promise<void> {
    const { time, renew } = this.#parts
    const since = time.now()
    try {
      if (await renew()) this.renewed(since)
    } catch {
      // It is asked again while there is time; then it is lost, which is told.
    }
  }
}
