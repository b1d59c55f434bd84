import { type Claim, type ClaimOptions, MemoryStore, type SessionWriter, type StoredEvent } from '../src/index.ts'

/** A store whose appends wait for a word, and fail when they are told to. */
export class FailingStore extends MemoryStore {
  /** Thrown by the next appends, until it is taken away. */
  failure: Error | undefined
  /** Appends that wait while `hold` is set, in order. */
  readonly held: (() => void)[] = []
  hold = false
  readonly levels: string[] = []

  override async claim(id: string, options: ClaimOptions): Promise<Claim> {
    const claim = await super.claim(id, options)
    return { ...claim, writer: this.#failing(claim.writer) }
  }

  releaseHeld(): void {
    this.hold = false
    for (const go of this.held.splice(0)) go()
  }

  #failing(writer: SessionWriter): SessionWriter {
    // Like a real writer: what is enqueued behind a refused write is refused with it.
    let queue: Promise<unknown> = Promise.resolve()
    let refused: { error: Error; behind: number } | undefined
    let enqueued = 0
    return {
      id: writer.id,
      epoch: writer.epoch,
      blobs: writer.blobs,
      append: (events: readonly StoredEvent[], level) => {
        const number = (enqueued += 1)
        this.levels.push(level)
        const waited = this.hold ? new Promise<void>((go) => this.held.push(go)) : Promise.resolve()
        const written = Promise.all([queue, waited]).then(async () => {
          if (refused && number <= refused.behind) throw refused.error
          if (this.failure) {
            refused = { error: this.failure, behind: enqueued }
            throw this.failure
          }
          await writer.append(events, level)
        })
        queue = written.catch(() => undefined)
        return written
      },
      save: async (state, options) => {
        if (this.failure) throw this.failure
        await writer.save(state, options)
      },
      release: () => writer.release(),
    }
  }
}
