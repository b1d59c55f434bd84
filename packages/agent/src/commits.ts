import { checkedClaim, type Claim, type Session, type SessionStore } from '@loader/session-core'
import { HeldWriter } from './held-writer.ts'
import type { WorkingSession } from './stage/stage.ts'

/**
 * Brings together what moves record: it goes to the store with what somebody waits for, in one append with one flush.
 * So n calls in a row cost n + 1 flushes: one before each, and one before the model is told. A look at the whole
 * workspace takes a while, so it adds one.
 *
 * Invariants:
 * 1. Only what a move records is held back, and never what stands before an effect: whoever waits sends it.
 * 2. The order stays. Whatever else is appended goes behind what is held, in the same group or in a later one.
 * 3. A group is durable as a whole, or refused as a whole. What is held when the process dies was told to nobody, and
 *    nothing rests on it.
 */
export class Commits {
  #writer: HeldWriter | undefined
  #isHolding = false

  /** The same store; what is recorded through `working` waits in its writer. */
  over(store: SessionStore): SessionStore {
    return {
      list: (query) => store.list(query),
      read: (id, options) => store.read(id, options),
      readBlob: (id, blob) => store.readBlob(id, blob),
      delete: (id, options) => store.delete(id, options),
      claim: async (id, options) => this.#holding(await checkedClaim(store, id, options)),
    }
  }

  /** The session as moves work in it. */
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

  /** Sends what is held. */
  send(): void {
    this.#writer?.send()
  }

  #holding(claim: Claim): Claim {
    this.#writer = new HeldWriter(claim.writer, () => this.#isHolding)
    return { ...claim, writer: this.#writer }
  }

  /** A session hands on what it records before it returns. */
  #hold<Result>(record: () => Result): Result {
    this.#isHolding = true
    try {
      return record()
    } finally {
      this.#isHolding = false
    }
  }
}
