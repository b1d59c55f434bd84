import {
  type Claim,
  type ClaimOptions,
  LoaderError,
  MemoryStore,
  type SessionWriter,
  type StoredEvent,
} from '@loader/session-core'

/** From which append on there is no space, counted from the first of the session, and for how many writes. */
export interface Shortage {
  readonly from: number
  readonly lasts: 'once' | 'until there is space'
}

/** Sessions in memory, with as much space as it is told. What does not fit is refused as a whole. */
export class LimitedStore extends MemoryStore {
  /** Appends so far, over all writers. */
  appends = 0
  /** Events that are stored, as their types. */
  readonly stored: string[] = []
  #shortage: Shortage | undefined

  constructor(shortage?: Shortage) {
    super()
    this.#shortage = shortage
  }

  makeSpace(): void {
    this.#shortage = undefined
  }

  override async claim(id: string, options: ClaimOptions): Promise<Claim> {
    const claim = await super.claim(id, options)
    return { ...claim, writer: this.#limited(claim.writer) }
  }

  /** Whether what is to be written now fits no more; whoever asks has then met the shortage. */
  #isFull(append: number): boolean {
    if (this.#shortage === undefined || append < this.#shortage.from) return false
    if (this.#shortage.lasts === 'once') this.#shortage = undefined
    return true
  }

  #limited(writer: SessionWriter): SessionWriter {
    let queue: Promise<unknown> = Promise.resolve()
    let next: number | undefined
    let refused: LoaderError | undefined
    return {
      id: writer.id,
      epoch: writer.epoch,
      blobs: {
        put: async (text) => {
          if (this.#isFull(this.appends + 1)) throw full()
          return writer.blobs.put(text)
        },
        get: (blob) => writer.blobs.get(blob),
      },
      append: (events: readonly StoredEvent[], level) => {
        const written = queue.then(async () => {
          const first = events[0]?.seq
          // What was enqueued behind a refused write goes with it.
          if (refused !== undefined && first !== next) throw refused
          this.appends += 1
          if (this.#isFull(this.appends)) {
            next = first
            refused = full()
            throw refused
          }
          await writer.append(events, level)
          refused = undefined
          this.stored.push(...events.map(({ type }) => type))
        })
        queue = written.catch(() => undefined)
        return written
      },
      save: async (state, options) => {
        if (this.#isFull(this.appends + 1)) throw full()
        await writer.save(state, options)
      },
      release: () => writer.release(),
    }
  }
}

function full(): LoaderError {
  return new LoaderError('storage_full', 'There is no space left. Free some space.')
}
