import { LoaderError, parseEvent, type StoredEvent } from '@loader/session-core'
import { MortalStore } from '../mortal-store.ts'
import { altered, keeping, wrong, type WrongStore, writing } from './wrong-store.ts'

type Read = Parameters<MortalStore['read']>
type Claimed = Parameters<MortalStore['claim']>

/** Level os is readable only once something else was flushed. */
class ReadsLate extends MortalStore {
  readonly #hidden = new Map<string, number>()

  override async *read(...[id, options]: Read): AsyncGenerator<StoredEvent> {
    const hidden = this.#hidden.get(id) ?? Number.POSITIVE_INFINITY
    for await (const event of super.read(id, options)) if (event.seq < hidden) yield event
  }

  override async claim(...[id, options]: Claimed): ReturnType<MortalStore['claim']> {
    return altered(await super.claim(id, options), (writer) => ({
      append: async (events, level) => {
        await writer.append(events, level)
        if (level === 'flush') this.#hidden.delete(id)
        else if (!this.#hidden.has(id)) this.#hidden.set(id, events[0]?.seq ?? 0)
      },
      save: async (state, saving) => {
        await writer.save(state, saving)
        this.#hidden.delete(id)
      },
      release: async () => {
        await writer.release()
        this.#hidden.delete(id)
      },
    }))
  }

  override async die(): Promise<void> {
    this.#hidden.clear()
    await super.die()
  }
}

/** Of the appends of one tick, the last comes first. */
class Reorders extends MortalStore {
  readonly #swapped = new Map<number, number>()
  #tick: number[] = []

  override async *read(...[id, options]: Read): AsyncGenerator<StoredEvent> {
    const events: StoredEvent[] = []
    for await (const event of super.read(id, options)) events.push(event)
    for (const event of events) yield events.find(({ seq }) => seq === this.#swapped.get(event.seq)) ?? event
  }

  override async claim(...[id, options]: Claimed): ReturnType<MortalStore['claim']> {
    return altered(await super.claim(id, options), (writer) => ({
      append: (events, level) => {
        this.#enqueue(events.map(({ seq }) => seq))
        return writer.append(events, level)
      },
    }))
  }

  #enqueue(seqs: readonly number[]): void {
    if (this.#tick.length === 0) queueMicrotask(() => (this.#tick = []))
    const [first, last] = [this.#tick[0], seqs.at(-1)]
    this.#tick.push(...seqs)
    if (first === undefined || last === undefined) return
    this.#swapped.set(first, last).set(last, first)
  }
}

class MixesAlikeIds extends MortalStore {
  readonly #ids = new Set<string>()

  override async *read(...[id, options]: Read): AsyncGenerator<StoredEvent> {
    for (const other of this.#ids) if (other.startsWith(id) && other !== id) yield* super.read(other, options)
    yield* super.read(id, options)
  }

  override async claim(...[id, options]: Claimed): ReturnType<MortalStore['claim']> {
    const claim = await super.claim(id, options)
    this.#ids.add(id)
    return claim
  }

  override async delete(id: string): Promise<void> {
    await super.delete(id)
    this.#ids.delete(id)
  }
}

class KeepsTheNewestThousand extends MortalStore {
  override async *read(...[id, options]: Read): AsyncGenerator<StoredEvent> {
    const events: StoredEvent[] = []
    for await (const event of super.read(id, options)) events.push(event)
    yield* events.slice(-1000)
  }
}

let later = 200

export const wrongAppending: readonly WrongStore[] = [
  wrong(
    'shows readers what is flushed, not what is acknowledged',
    () => new ReadsLate(),
    'an acknowledged append is readable at once',
  ),
  wrong(
    'reorders concurrent appends',
    () => new Reorders(),
    'appends that are enqueued at once keep their order, whatever their levels',
    '2,000 events are kept',
  ),
  wrong(
    'acknowledges the last append first',
    writing((writer) => ({
      append: async (events, level) => {
        const turns = (later = later === 0 ? 200 : later - 1)
        await writer.append(events, level)
        for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
      },
    })),
    'appends of one level are acknowledged in their order',
  ),
  wrong(
    'numbers events as they come',
    writing((writer) => {
      let next: number | undefined
      return {
        append: (events, level) => {
          const first = next ?? events[0]?.seq ?? 0
          next = first + events.length
          const numbered = events.map((event, index) => ({ ...event, seq: first + index }))
          return writer.append(numbered, level)
        },
      }
    }),
    'an event that leaves a gap is refused',
    'an event whose place is taken is refused',
    'of events appended together either all are kept or none',
  ),
  wrong(
    'appends events one by one',
    writing((writer) => ({
      append: async (events, level) => {
        for (const event of events) await writer.append([event], level)
      },
    })),
    'of events appended together either all are kept or none',
    '2,000 events are kept',
  ),
  wrong(
    'throws instead of rejecting',
    writing((writer) => ({
      append: (events, level) => {
        const gap = events.some(({ seq }, index) => index > 0 && seq !== (events[0]?.seq ?? 0) + index)
        if (gap) throw new LoaderError('impossible_event', 'There is a gap.')
        return writer.append(events, level)
      },
    })),
    'of events appended together either all are kept or none',
  ),
  wrong(
    'leaves nulls out of lists',
    keeping((event) => parseEvent(JSON.parse(JSON.stringify(event).replaceAll(',null', '')))),
    'what was appended is read back, byte for byte and in order',
    'empty texts, lists and objects survive',
  ),
  wrong('keeps the newest thousand events', () => new KeepsTheNewestThousand(), '2,000 events are kept'),
  wrong(
    'refuses large events',
    writing((writer) => ({
      append: async (events, level) => {
        if (JSON.stringify(events).length > 900_000) throw new LoaderError('storage_refused', 'This is too large.')
        await writer.append(events, level)
      },
    })),
    'an event of a megabyte is kept',
  ),
  wrong(
    'finds sessions by how their ids begin',
    () => new MixesAlikeIds(),
    'sessions do not mix, however alike their ids',
    'the neighbours of a deleted session stay',
  ),
]
