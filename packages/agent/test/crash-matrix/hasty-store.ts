import type { SessionStore, SessionWriter, StoredEvent } from '@loader/session-core'

/** A store that says of every append that it is durable as soon as the next one comes: what must not go unnoticed. */
export function hastyStore(store: SessionStore): SessionStore {
  return {
    list: (query) => store.list(query),
    read: (id, options) => store.read(id, options),
    readBlob: (id, blob) => store.readBlob(id, blob),
    delete: (id) => store.delete(id),
    async claim(id, options) {
      const claim = await store.claim(id, options)
      return { ...claim, writer: hastyWriter(claim.writer) }
    },
  }
}

function hastyWriter(writer: SessionWriter): SessionWriter {
  let held: readonly StoredEvent[] = []
  const hold = async (events: readonly StoredEvent[]) => {
    const before = held
    held = events
    await writer.append(before, 'flush')
  }
  return {
    id: writer.id,
    epoch: writer.epoch,
    blobs: writer.blobs,
    append: hold,
    async save(state, options) {
      await hold([])
      await writer.save(state, options)
    },
    async release() {
      await hold([])
      await writer.release()
    },
  }
}
