import { type Claim, type ClaimOptions, LoaderError, MemoryStore, type SessionWriter } from '@loader/session-core'

/** Sessions in memory, whose claims end when the test says so: as after a lease that could not be renewed. */
export class StoreWithLeases extends MemoryStore {
  /** How often something was to be stored after the end of the claim. */
  late = 0
  readonly #lost = new AbortController()

  endLease(): void {
    this.#lost.abort(new LoaderError('writer_fenced', 'The lease is over: somebody else may go on.'))
  }

  override async claim(id: string, options: ClaimOptions): Promise<Claim> {
    const claim = await super.claim(id, options)
    return { ...claim, writer: this.#leased(claim.writer) }
  }

  #leased(writer: SessionWriter): SessionWriter {
    const lost = this.#lost.signal
    const unlessLost = async (work: () => Promise<void>) => {
      if (!lost.aborted) return work()
      this.late += 1
      throw lost.reason
    }
    return {
      id: writer.id,
      epoch: writer.epoch,
      blobs: writer.blobs,
      lost,
      append: (events, level) => unlessLost(() => writer.append(events, level)),
      save: (state, options) => unlessLost(() => writer.save(state, options)),
      release: () => writer.release(),
    }
  }
}
