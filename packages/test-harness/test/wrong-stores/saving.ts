import { type Claim, type ClaimOptions, type ListQuery, type SessionPage, type StoredEvent } from '@loader/session-core'
import { MortalStore } from '../mortal-store.ts'
import { altered, wrong, type WrongStore, writing } from './wrong-store.ts'

type Read = Parameters<MortalStore['read']>

/** A session that was only just claimed has nothing to read. */
async function everything(store: MortalStore, id: string, { expect }: ClaimOptions): Promise<StoredEvent[]> {
  if (expect === 'new') return []
  const events: StoredEvent[] = []
  for await (const event of store.read(id)) events.push(event)
  return events
}

class ForgetsStates extends MortalStore {
  override async claim(id: string, options: ClaimOptions): Promise<Claim> {
    const claim = await super.claim(id, options)
    return { ...claim, state: null, events: await everything(this, id, options) }
  }
}

class ForgetsStatesOfTheDead extends MortalStore {
  #died = false

  override async claim(id: string, options: ClaimOptions): Promise<Claim> {
    const claim = await super.claim(id, options)
    return this.#died ? { ...claim, state: null, events: await everything(this, id, options) } : claim
  }

  override async die(): Promise<void> {
    this.#died = true
    await super.die()
  }
}

class TakesTheStateForTheNewest extends MortalStore {
  override async claim(id: string, options: ClaimOptions): Promise<Claim> {
    const claim = await super.claim(id, options)
    return claim.state === null ? claim : { ...claim, events: [] }
  }
}

/** Once saved, all titles are the latest one. */
class ChangesEventsWhenItSaves extends MortalStore {
  readonly #titles = new Map<string, string>()

  override async *read(...[id, options]: Read): AsyncGenerator<StoredEvent> {
    const title = this.#titles.get(id)
    for await (const event of super.read(id, options)) yield title && 'title' in event ? { ...event, title } : event
  }

  override async delete(id: string): Promise<void> {
    await super.delete(id)
    this.#titles.delete(id)
  }

  override async claim(id: string, options: ClaimOptions): Promise<Claim> {
    return altered(await super.claim(id, options), (writer) => ({
      save: async (state, saving) => {
        await writer.save(state, saving)
        if (state.title !== null) this.#titles.set(id, state.title)
      },
    }))
  }
}

class DropsRowsThatWait extends MortalStore {
  readonly #waiting = new Set<string>()

  override async claim(id: string, options: ClaimOptions): Promise<Claim> {
    return altered(await super.claim(id, options), (writer) => ({
      save: async (state, saving) => {
        await writer.save(state, saving)
        if (saving?.index === false) this.#waiting.add(id)
      },
    }))
  }

  override async list(query?: ListQuery): Promise<SessionPage> {
    const page = await super.list(query)
    return { ...page, rows: page.rows.filter(({ id }) => !this.#waiting.has(id)) }
  }
}

export const wrongSaving: readonly WrongStore[] = [
  wrong(
    'never uses a saved state',
    () => new ForgetsStates(),
    'a saved state is what the next claim begins with',
    'a saved state survives the end of the process',
  ),
  wrong(
    'loses saved states when its process ends',
    () => new ForgetsStatesOfTheDead(),
    'a saved state survives the end of the process',
  ),
  wrong(
    'takes the saved state for the newest',
    () => new TakesTheStateForTheNewest(),
    'a claim hands out state and events that fold to the history',
    'a state that is older than the events comes with the events after it',
  ),
  wrong('changes events when it saves', () => new ChangesEventsWhenItSaves(), 'saving changes no event'),
  wrong(
    'ends with the first save',
    writing((writer) => ({
      save: async (state, options) => {
        await writer.save(state, options)
        await writer.release()
      },
    })),
    'a claim hands out state and events that fold to the history',
    'a session goes on after it was saved',
    'a save that leaves the row for later leaves one: as it was, or as it is',
    'a save that leaves the snapshot for later writes the row',
    'an id of long ago is refused to every later writer',
    'watching shows what is there, and then what is written',
    'watching disturbs no writer, and takes no epoch',
  ),
  wrong(
    'does nothing where the snapshot may wait',
    writing((writer) => ({
      save: async (state, options) => {
        if (options?.snapshot !== false) await writer.save(state, options)
      },
    })),
    'a save that leaves the snapshot for later writes the row',
  ),
  wrong(
    'drops rows that wait',
    () => new DropsRowsThatWait(),
    'a save that leaves the row for later leaves one: as it was, or as it is',
  ),
  wrong(
    'keeps of a saved state only what the model sees',
    writing((writer) => ({
      save: async ({ used: _used, ...state }, options) => writer.save(state, options),
    })),
    'an id of long ago is refused to every later writer',
  ),
]
