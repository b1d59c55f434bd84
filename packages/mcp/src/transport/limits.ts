/** What a server may send. Beyond it, the connection is closed, and the call that waits for it is unknown. */
export const transportLimits = {
  /** Of one message. */
  messageBytes: 16 * 1024 * 1024,
  /** Messages that answer nothing: so many at once, and so many in each second. */
  unaskedAtOnce: 5_000,
  unaskedPerSecond: 500,
} as const

/** Lets through so many messages at once, and so many in each second after that. */
export class Rate {
  #left: number
  #at: number
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
    this.#left = transportLimits.unaskedAtOnce
    this.#at = now()
  }

  take(): boolean {
    const now = this.#now()
    const gained = ((now - this.#at) / 1000) * transportLimits.unaskedPerSecond
    this.#left = Math.min(transportLimits.unaskedAtOnce, this.#left + gained)
    this.#at = now
    if (this.#left < 1) return false
    this.#left -= 1
    return true
  }
}
