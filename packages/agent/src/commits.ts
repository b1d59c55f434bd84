import { checkedClaim, type Claim, type Session, type SessionStore } from '@loader/session-core'
import { HeldWriter } from './held-writer.ts'
import type { WorkingSession } from './stage/stage.ts'

/**
 * Groups events that steps record with the next write that must be durable: one append with one flush. So n calls in a
 * row cost n + 1 flushes: one before each call, and one before the request to the model. An observation of the whole
 * workspace takes a while, so it adds one.
 *
 * Invariants:
 * 1. Only events recorded by steps are held back, and never an event that must be durable before an effect: waiting for
 *    durability sends what is held.
 * 2. Order is kept. Any other append goes behind the held events, in the same group or in a later one.
 * 3. A group is durable as a whole, or refused as a whole. Events held when the process dies were not published, and no
 *    effect depends on them.
 */
export class Commits {
  #writer: HeldWriter | undefined
  #isHolding = false

  /** Wraps a store so that events recorded through `working` are held back in its writer. */
  over(store: SessionStore): SessionStore {
    return {
      list: (query) => store.list(query),
      read: (id, options) => store.read(id, options),
      readBlob: (id, blob) => store.readBlob(id, blob),
      delete: (id, options) => store.delete(id, options),
      claim: async (id, options) => this.#holding(await checkedClaim(store, id, options)),
    }
  }

  /** The session for steps, whose events are held back. */
  working(session: Session): WorkingSession {
    const recordAll: WorkingSession['recordAll'] = (inputs) => this.#hold(() => session.recordAll(inputs))
    const durable = (): Promise<void> => {
      this.send()
      return session.durable()
    }
    return {
      id: session.id,
      blobs: session.blobs,
      get state() {
        return session.state
      },
      record: (input) => this.#hold(() => session.record(input)),
      recordAll,
      durable,
      send: () => this.send(),
      append: (input) => {
        recordAll('type' in input ? [input] : input)
        return durable()
      },
      save: (options) => {
        this.send()
        return session.save(options)
      },
      storeText: (text) => session.storeText(text),
      readText: (text) => session.readText(text),
    }
  }

  /** Sends the held events. */
  send(): void {
    this.#writer?.send()
  }

  #holding(claim: Claim): Claim {
    this.#writer = new HeldWriter(claim.writer, () => this.#isHolding)
    return { ...claim, writer: this.#writer }
  }

  /** Relies on a session passing events to its writer before `record` returns. */
  #hold<Result>(record: () => Result): Result {
    this.#isHolding = true
    try {
      return record()
    } finally {
      this.#isHolding = false
    }
  }
}
