import { ownerOf, type SessionStore } from '@loader/session-core'

/** The store as the next process finds it: who holds a session is dead, though in this process no store can know. */
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
