import type { Claim, SessionStore, SessionWriter } from '@loader/session-core'
import type { Life } from './life.ts'

/** The same store, with a boundary before and after everything that changes it. */
export function storeWithBoundaries(store: SessionStore, life: Life): SessionStore {
  return {
    list: (query) => life.during(() => store.list(query)),
    async *read(id, options) {
      const events = store.read(id, options)[Symbol.asyncIterator]()
      for (;;) {
        const next = await life.during(() => events.next())
        if (next.done) return
        yield next.value
      }
    },
    readBlob: (id, blob) => life.during(() => store.readBlob(id, blob)),
    claim: (id, options) =>
      life.around('claim', `claim ${id}`, async () => claimWithBoundaries(await store.claim(id, options), life)),
    delete: (id, options) => life.around('delete', `delete ${id}`, () => store.delete(id, options)),
  }
}

function claimWithBoundaries(claim: Claim, life: Life): Claim {
  return { ...claim, writer: writerWithBoundaries(claim.writer, life) }
}

function writerWithBoundaries(writer: SessionWriter, life: Life): SessionWriter {
  return {
    id: writer.id,
    epoch: writer.epoch,
    blobs: {
      put: (text) => life.around('blob', 'blob', () => writer.blobs.put(text)),
      get: (blob) => life.during(() => writer.blobs.get(blob)),
    },
    append(events, level) {
      const types = events.map(({ type }) => type).join(', ')
      return life.around('append', `append ${types}`, () => writer.append(events, level))
    },
    save: (state, options) => life.around('save', 'save', () => writer.save(state, options)),
    release: () => life.around('release', 'release', () => writer.release()),
  }
}
