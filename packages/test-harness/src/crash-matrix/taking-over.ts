import { ownerOf, type SessionStore } from '@loader/session-core'

/**
 * The store as the next process finds it: previous owners of sessions count as dead, although they live in this
 * process.
 */
export function takingOver(store: SessionStore): SessionStore {
  return {
    list: (query) => store.list(query),
    read: (id, options) => store.read(id, options),
    readBlob: (id, blob) => store.readBlob(id, blob),
    claim: (id, options) => store.claim(id, { ...options, takeover: true }),
    async delete(id, options) {
      const { writer } = await store.claim(id, { owner: ownerOf('crashMatrix'), expect: 'existing', takeover: true })
      await writer.release()
      await store.delete(id, options)
    },
  }
}
