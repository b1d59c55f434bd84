import {
  type Claim,
  type ClaimOptions,
  LoaderError,
  type ListQuery,
  type SessionPage,
  type SessionRow,
  type StoredEvent,
} from '@loader/session-core'
import { MortalStore } from '../mortal-store.ts'
import { altered, wrong, type WrongStore, writing } from './wrong-store.ts'

type Read = Parameters<MortalStore['read']>
const owner = { type: 'Ghost', path: 'ghost' }

/** Only hides what it deletes. */
class Hides extends MortalStore {
  protected readonly hidden = new Set<string>()

  override async delete(id: string): Promise<void> {
    this.#requireShown(id)
    const { writer } = await super.claim(id, { owner, expect: 'existing' })
    await writer.release()
    this.hidden.add(id)
  }

  override async claim(id: string, options: ClaimOptions): Promise<Claim> {
    if (options.expect === 'existing') this.#requireShown(id)
    else if (this.hidden.delete(id)) await super.delete(id)
    return super.claim(id, options)
  }

  override async *read(...[id, options]: Read): AsyncGenerator<StoredEvent> {
    this.#requireShown(id)
    yield* super.read(id, options)
  }

  override async readBlob(id: string, blob: string): Promise<string> {
    this.#requireShown(id)
    return super.readBlob(id, blob)
  }

  override async list(query?: ListQuery): Promise<SessionPage> {
    const page = await super.list(query)
    return { ...page, rows: page.rows.filter(({ id }) => !this.hidden.has(id)) }
  }

  #requireShown(id: string): void {
    if (this.hidden.has(id)) throw new LoaderError('session_not_found', 'It is hidden.')
  }
}

class ResurrectsWhatWasDeleted extends Hides {
  override async die(): Promise<void> {
    this.hidden.clear()
    await super.die()
  }
}

class DeletesTheRowAlone extends MortalStore {
  readonly #deleted = new Set<string>()

  override async delete(id: string): Promise<void> {
    const { writer } = await super.claim(id, { owner, expect: 'existing' })
    await writer.release()
    this.#deleted.add(id)
  }

  override async list(query?: ListQuery): Promise<SessionPage> {
    const page = await super.list(query)
    return { ...page, rows: page.rows.filter(({ id }) => !this.#deleted.has(id)) }
  }
}

/** Its list learns about deletions when a process starts. */
class ListsWhatWasDeleted extends MortalStore {
  #rows: SessionRow[] = []

  override async delete(id: string): Promise<void> {
    const { rows } = await super.list()
    await super.delete(id)
    this.#rows.push(...rows.filter((row) => row.id === id))
  }

  override async list(query?: ListQuery): Promise<SessionPage> {
    const page = await super.list(query)
    return { ...page, rows: [...page.rows, ...this.#rows] }
  }

  override async die(): Promise<void> {
    this.#rows = []
    await super.die()
  }
}

class KeepsTextsOfTheDeleted extends MortalStore {
  readonly #texts = new Map<string, string>()

  override async claim(id: string, options: ClaimOptions): Promise<Claim> {
    return altered(await super.claim(id, options), ({ blobs }) => ({
      blobs: {
        get: (blob) => blobs.get(blob),
        put: async (text) => {
          const put = await blobs.put(text)
          this.#texts.set(`${id}/${put.blob}`, text)
          return put
        },
      },
    }))
  }

  override async readBlob(id: string, blob: string): Promise<string> {
    try {
      return await super.readBlob(id, blob)
    } catch (error) {
      const text = this.#texts.get(`${id}/${blob}`)
      if (text !== undefined && LoaderError.is(error, 'blob_missing')) return text
      throw error
    }
  }
}

class DeletesWhatIsHeld extends MortalStore {
  override async delete(id: string): Promise<void> {
    const { writer } = await super.claim(id, { owner, expect: 'existing', takeover: true })
    await writer.release()
    await super.delete(id)
  }
}

class NeverGivesAnIdTwice extends MortalStore {
  readonly #used = new Set<string>()

  override async delete(id: string): Promise<void> {
    await super.delete(id)
    this.#used.add(id)
  }

  override async claim(id: string, options: ClaimOptions): Promise<Claim> {
    if (this.#used.has(id) && options.expect === 'new') throw new LoaderError('session_exists', 'It was there.')
    return super.claim(id, options)
  }
}

class DeletesByPrefix extends MortalStore {
  override async delete(id: string): Promise<void> {
    await super.delete(id)
    const { rows } = await super.list()
    for (const row of rows) if (row.id.startsWith(id)) await super.delete(row.id)
  }
}

/** A writer that was told no makes the session again. */
const revivingAfter = (code: string) =>
  writing((writer, store) => ({
    append: async (events, level) => {
      try {
        await writer.append(events, level)
      } catch (error) {
        if (!LoaderError.is(error) || error.code !== code) throw error
        const listed = (await store.list()).rows.some(({ id }) => id === writer.id)
        if (listed) throw error
        await store.claim(writer.id, { owner, expect: 'new' })
      }
    },
  }))

export const wrongDeleting: readonly WrongStore[] = [
  wrong(
    'deletes the row alone',
    () => new DeletesTheRowAlone(),
    'a deleted session is neither read nor claimed',
    'what is not there, or no longer there, is not deleted',
    'the texts of a session are deleted with it',
    'a deleted session does not come back with a new process',
    'a deleted session does not come back by a writer that was released',
    'a deleted session does not come back by a writer that was displaced',
    'what a dead process held can be deleted',
    'the id of a deleted session can be used again, for one that begins empty',
    'watching a session that is not there, or no longer there, says so',
    'with a session its messages are gone',
    'nothing is restored where the id is taken',
  ),
  wrong(
    'lists what was deleted',
    () => new ListsWhatWasDeleted(),
    'a deleted session is not listed',
    'a deleted session does not come back by a writer that was released',
    'a deleted session does not come back by a writer that was displaced',
    'what a dead process held can be deleted',
    'the neighbours of a deleted session stay',
    'of events that make no session, or another one, nothing is restored',
  ),
  wrong(
    'keeps the texts of what was deleted',
    () => new KeepsTextsOfTheDeleted(),
    'the texts of a session are deleted with it',
  ),
  wrong(
    'resurrects deleted sessions',
    () => new ResurrectsWhatWasDeleted(),
    'a deleted session does not come back with a new process',
    'watching a session that is not there, or no longer there, says so',
    'with a session its messages are gone',
    'a session that is restored has its events and its long texts, and is listed',
    'nothing is restored where the id is taken',
  ),
  wrong(
    'lets a released writer resurrect its session',
    revivingAfter('session_closed'),
    'a deleted session does not come back by a writer that was released',
  ),
  wrong(
    'lets a displaced writer resurrect its session',
    revivingAfter('writer_fenced'),
    'a deleted session does not come back by a writer that was displaced',
  ),
  wrong('deletes what is held', () => new DeletesWhatIsHeld(), 'a session that is held is not deleted'),
  wrong(
    'never gives an id twice',
    () => new NeverGivesAnIdTwice(),
    'the texts of a session are deleted with it',
    'the id of a deleted session can be used again, for one that begins empty',
    'with a session its messages are gone',
  ),
  wrong('deletes whatever begins with the id', () => new DeletesByPrefix(), 'the neighbours of a deleted session stay'),
]
