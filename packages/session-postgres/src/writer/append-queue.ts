interface Queued {
  readonly bodies: readonly string[]
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** At most so much is sent at once, in characters; appends that are queued behind it wait. */
const mostAtOnce = 4 * 1024 * 1024

/** Appends in the order in which they were asked for. Those that wait for the same statement are sent as one. */
export class AppendQueue {
  #queued: Queued[] = []

  /** Resolves when the events are stored. `onFirst` is called when nothing waited before them. */
  add(bodies: readonly string[], onFirst: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queued.push({ bodies, resolve, reject })
      if (this.#queued.length === 1) onFirst()
    })
  }

  /** Stores what waits, group by group. What fails takes with it all that was enqueued behind it. */
  async empty(
    store: (bodies: readonly string[]) => Promise<void>,
    onFailure: (error: unknown) => unknown,
  ): Promise<void> {
    while (this.#queued.length > 0) {
      const group = this.#nextGroup()
      try {
        await store(group.flatMap(({ bodies }) => bodies))
        this.#queued.splice(0, group.length)
        for (const { resolve } of group) resolve()
      } catch (error) {
        const behind = this.#queued
        this.#queued = []
        const reason = onFailure(error)
        for (const { reject } of behind) reject(reason)
      }
    }
  }

  #nextGroup(): readonly Queued[] {
    let size = 0
    const end = this.#queued.findIndex(({ bodies }, index) => {
      size += bodies.reduce((sum, body) => sum + body.length, 0)
      return index > 0 && size > mostAtOnce
    })
    return end < 0 ? [...this.#queued] : this.#queued.slice(0, end)
  }
}
