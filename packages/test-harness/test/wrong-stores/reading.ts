import { type Claim, type ClaimOptions, LoaderError, type StoredEvent } from '@loader/session-core'
import { MortalStore } from '../mortal-store.ts'
import { altered, wrong, type WrongStore } from './wrong-store.ts'

type Read = Parameters<MortalStore['read']>
const owner = { type: 'Reader', path: 'reader' }

class IgnoresFromSeq extends MortalStore {
  override read(...[id]: Read): AsyncGenerator<StoredEvent> {
    return super.read(id)
  }
}

class ClaimsToRead extends MortalStore {
  override async *read(...[id, options]: Read): AsyncGenerator<StoredEvent> {
    const { writer } = await this.claim(id, { owner, expect: 'existing', takeover: true })
    yield* super.read(id, options)
    await writer.release()
  }
}

/** Writes down what it found when it reads what a dead process left behind. */
class RepairsOnRead extends MortalStore {
  readonly #held = new Set<string>()
  readonly #left = new Set<string>()

  override async *read(...[id, options]: Read): AsyncGenerator<StoredEvent> {
    let last = 0
    for await (const event of super.read(id, options)) {
      last = event.seq
      yield event
    }
    if (!this.#left.delete(id)) return
    const { writer } = await super.claim(id, { owner, expect: 'existing' })
    await writer.append([{ type: 'session.repaired', seq: last + 1, at: '2026-01-01T00:00:00.000Z' }], 'flush')
    await writer.release()
  }

  override async claim(id: string, options: ClaimOptions): Promise<Claim> {
    const claim = await super.claim(id, options)
    this.#held.add(id)
    return altered(claim, (writer) => ({
      release: async () => {
        this.#held.delete(id)
        await writer.release()
      },
    }))
  }

  override async die(): Promise<void> {
    for (const id of this.#held) this.#left.add(id)
    this.#held.clear()
    await super.die()
  }
}

/** Tidies up as it reads: what a saved state covers is dropped once it was shown. */
class CompactsOnRead extends MortalStore {
  readonly #covered = new Map<string, number>()
  readonly #dropped = new Map<string, number>()

  override async *read(...[id, options]: Read): AsyncGenerator<StoredEvent> {
    const key = id.toLowerCase()
    const dropped = this.#dropped.get(key) ?? 0
    for await (const event of super.read(id, options)) if (event.seq > dropped) yield event
    this.#dropped.set(key, this.#covered.get(key) ?? 0)
  }

  override async claim(id: string, options: ClaimOptions): Promise<Claim> {
    return altered(await super.claim(id, options), (writer) => ({
      save: async (state, saving) => {
        await writer.save(state, saving)
        this.#covered.set(id.toLowerCase(), state.seq)
      },
    }))
  }

  override async die(): Promise<void> {
    this.#dropped.clear()
    await super.die()
  }
}

/** Keeps the events in memory as the objects that everybody gets. */
class SharesEvents extends MortalStore {
  readonly #shared = new Map<string, StoredEvent>()

  override async *read(...[id, options]: Read): AsyncGenerator<StoredEvent> {
    for await (const event of super.read(id, options)) {
      const line = `${id} ${JSON.stringify(event)}`
      if (!this.#shared.has(line)) this.#shared.set(line, event)
      yield this.#shared.get(line) as StoredEvent
    }
  }
}

class TakesMissingForEmpty extends MortalStore {
  override async *read(...[id, options]: Read): AsyncGenerator<StoredEvent> {
    try {
      yield* super.read(id, options)
    } catch (error) {
      if (!LoaderError.is(error, 'session_not_found')) throw error
    }
  }
}

class DeletesWhatIsNotThere extends MortalStore {
  override async delete(id: string): Promise<void> {
    try {
      await super.delete(id)
    } catch (error) {
      if (!LoaderError.is(error, 'session_not_found')) throw error
    }
  }
}

export const wrongReading: readonly WrongStore[] = [
  wrong(
    'reads from the beginning, always',
    () => new IgnoresFromSeq(),
    'reading begins at the event that it is asked for',
  ),
  wrong(
    'claims a session to read it',
    () => new ClaimsToRead(),
    'an acknowledged append is readable at once',
    'reading is possible while a writer holds the session, and does not disturb it',
    'reading what a dead process left behind changes nothing',
    'reading takes no epoch',
    'a fork leaves the session as it is, also while a writer holds it',
  ),
  wrong('repairs on read', () => new RepairsOnRead(), 'reading what a dead process left behind changes nothing'),
  wrong(
    'compacts on read',
    () => new CompactsOnRead(),
    'reading begins at the event that it is asked for',
    'reading shows the same every time',
    'reading hands out events of its own: changing them changes nothing',
    'a session is found whatever the case of its id',
    'watching begins at the event that it is asked for',
    'nothing is restored where the id is taken',
  ),
  wrong(
    'hands out the events that it keeps',
    () => new SharesEvents(),
    'reading hands out events of its own: changing them changes nothing',
  ),
  wrong(
    'takes a missing session for an empty one',
    () => new TakesMissingForEmpty(),
    'reading a session that is not there says so, and makes none',
    'a deleted session is neither read nor claimed',
  ),
  wrong(
    'deletes what is not there',
    () => new DeletesWhatIsNotThere(),
    'what is not there, or no longer there, is not deleted',
  ),
]
