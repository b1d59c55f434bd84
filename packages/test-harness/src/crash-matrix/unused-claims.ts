import type { Claim, SessionStore } from '@loader/session-core'

export interface TrackedStore {
  readonly store: SessionStore
  /** A session that was claimed and never got an event is gone with its process; here somebody has to see to that. */
  readonly releaseUnused: () => Promise<void>
}

/** The same store, which remembers the claims that nothing was written with. */
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

/** Everything a writer does, whether its methods are its own or those of a class. */
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
