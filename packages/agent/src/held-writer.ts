import type { DurabilityLevel, SessionWriter, StoredEvent } from '@loader/session-core'

interface Held {
  readonly events: readonly StoredEvent[]
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Wraps a writer. While `isHolding` returns true, appends of the level `flush` wait for the next one that is sent. */
export class HeldWriter implements SessionWriter {
  readonly id: string
  readonly epoch: number
  readonly blobs: SessionWriter['blobs']
  readonly lost: SessionWriter['lost']
  readonly #writer: SessionWriter
  readonly #isHolding: () => boolean
  #held: Held[] = []

  constructor(writer: SessionWriter, isHolding: () => boolean) {
    this.id = writer.id
    this.epoch = writer.epoch
    this.blobs = writer.blobs
    this.lost = writer.lost
    this.#writer = writer
    this.#isHolding = isHolding
  }

  append(events: readonly StoredEvent[], level: DurabilityLevel): Promise<void> {
    if (level === 'flush') {
      const written = new Promise<void>((resolve, reject) => this.#held.push({ events, resolve, reject }))
      if (!this.#isHolding()) this.send()
      return written
    }
    this.send()
    return this.#writer.append(events, level)
  }

  send(): void {
    const group = this.#held
    if (group.length === 0) return
    this.#held = []
    const events = group.flatMap((held) => held.events)
    this.#writer.append(events, 'flush').then(
      () => group.forEach(({ resolve }) => resolve()),
      (error: unknown) => group.forEach(({ reject }) => reject(error)),
    )
  }

  save(...args: Parameters<SessionWriter['save']>): Promise<void> {
    this.send()
    return this.#writer.save(...args)
  }

  release(): Promise<void> {
    this.send()
    return this.#writer.release()
  }
}
