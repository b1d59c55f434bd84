import { codeOf } from '../disk/file-errors.ts'
import type { Lock } from '../disk/lock.ts'

/** While records follow each other, they say it themselves; a mark for each would only cost. */
const quietMs = 20

/**
 * Says in the lock up to where events are stored, shortly after their writer was told so: else watchers would not see
 * the newest event before another is written. It is not flushed; where the disk refuses it, they see that event later.
 */
export class DurableMark {
  readonly #lock: Lock
  #seq = 0
  #timer: NodeJS.Timeout | undefined

  constructor(lock: Lock) {
    this.#lock = lock
  }

  note(seq: number): void {
    if (seq <= this.#seq) return
    this.#seq = seq
    this.#timer ??= setTimeout(() => this.#tell(), quietMs).unref()
  }

  /** Says at once what waits to be said, and from then on nothing more. */
  close(): void {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#tell()
  }

  #tell(): void {
    this.#timer = undefined
    try {
      this.#lock.tell(this.#seq)
    } catch (error) {
      if (codeOf(error) === undefined) throw error
    }
  }
}
