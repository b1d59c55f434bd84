import { MemoryStore, type SessionStore, type SessionWriter, type StoredEvent } from '@loader/session-core'

/** Sessions that any machine can go on with, in memory: as stores over a network are. What was appended is kept by append. */
export class KeepingStore extends MemoryStore {
  readonly keepsFiles = true
  readonly appends: (readonly StoredEvent[])[] = []

  override async claim(...[id, options]: Parameters<SessionStore['claim']>): ReturnType<SessionStore['claim']> {
    const claim = await super.claim(id, options)
    return { ...claim, writer: this.#noting(claim.writer) }
  }

  /** The same session as it was after so many appends, in a store of its own. */
  async asAfter(appends: number, id: string): Promise<KeepingStore> {
    const events = this.appends.slice(0, appends).flat()
    const names = [...JSON.stringify(events).matchAll(/"blob":"([^"]+)"/g)].map(([, name]) => name ?? '')
    const texts = new Map<string, string>()
    for (const name of names) texts.set(name, await this.readBlob(id, name))
    const other = new KeepingStore()
    await other.restore({ id, events, texts })
    return other
  }

  #noting(writer: SessionWriter): SessionWriter {
    return {
      id: writer.id,
      epoch: writer.epoch,
      blobs: writer.blobs,
      append: async (events, level) => {
        await writer.append(events, level)
        this.appends.push(events)
      },
      save: (...args) => writer.save(...args),
      release: () => writer.release(),
    }
  }
}

/** A store that appends results before what follows them: the fault that must not go unnoticed. */
export class SplittingStore extends KeepingStore {
  override async claim(...args: Parameters<SessionStore['claim']>): ReturnType<SessionStore['claim']> {
    const claim = await super.claim(...args)
    const { writer } = claim
    const append: SessionWriter['append'] = async (events, level) => {
      const end = events.findIndex(({ type }) => type === 'tool.finished') + 1
      if (end > 0 && end < events.length) await writer.append(events.slice(0, end), level)
      await writer.append(end < events.length ? events.slice(end) : events, level)
    }
    return {
      ...claim,
      writer: {
        id: writer.id,
        epoch: writer.epoch,
        blobs: writer.blobs,
        append,
        save: (...words) => writer.save(...words),
        release: () => writer.release(),
      },
    }
  }
}
