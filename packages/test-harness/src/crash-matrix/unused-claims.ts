import type { Claim, SessionStore } from '@loader/session-core'

export interface TrackedStore {
  readonly store: SessionStore
  /** Releases sessions that were claimed but never got an event, because a dead process would no longer hold them. */
  readonly releaseUnused: () => Promise<void>
}

/** Wraps a store, and remembers claims that were never written with. */
export function trackingClaims(store: SessionStore): TrackedStore {
  const unused = new Set<Claim>()
  return {
    store: {
      list: (query) => store.list(query),
      read: (id, options) => store.read(id, options),
      readBlob: (id, blob) => store.readBlob(id, blob),
      async claim(id, options) {
        const claim = await store.claim(id, options)
        if (claim.state !== null || claim.events.length > 0) return claim
        unused.add(claim)
        return { ...claim, writer: { ...writerOf(claim), append: (...args) => used(claim).append(...args) } }
      },
      delete: (id) => store.delete(id),
    },
    async releaseUnused() {
      for (const { writer } of unused) await writer.release()
    },
  }

  function used(claim: Claim): Claim['writer'] {
    unused.delete(claim)
    return claim.writer
  }
}

/** Copies the methods of a writer, whether they are its own or inherited from a class. */
function writerOf({ writer }: Claim): Claim['writer'] {
  return {
    id: writer.id,
    epoch: writer.epoch,
    blobs: writer.blobs,
    append: (events, level) => writer.append(events, level),
    save: (state, options) => writer.save(state, options),
    release: () => writer.release(),
  }
}
