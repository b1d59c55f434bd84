import { type Claim, type ClaimOptions, MemoryStore, type SessionWriter } from '@loader/session-core'
import type { CreateStore } from '../src/index.ts'

/** A store in memory whose process can end: what it held is free then. */
export class MortalStore extends MemoryStore {
  readonly #held: SessionWriter[] = []

  override async claim(id: string, options: ClaimOptions): Promise<Claim> {
    const claim = await super.claim(id, options)
    this.#held.push(claim.writer)
    return claim
  }

  async die(): Promise<void> {
    for (const writer of this.#held.splice(0)) await writer.release()
  }
}

export function mortal(create: () => MortalStore = () => new MortalStore()): CreateStore {
  return async () => {
    const store = create()
    return {
      store,
      async reopen() {
        await store.die()
        return store
      },
      async dispose() {},
    }
  }
}
