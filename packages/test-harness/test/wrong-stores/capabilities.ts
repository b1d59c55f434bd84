import {
  type Fork,
  type ForkOptions,
  LoaderError,
  type Owner,
  type WatchItem,
  type WatchOptions,
} from '@loader/session-core'
import { MortalStore } from '../mortal-store.ts'
import { wrong, type WrongStore } from './wrong-store.ts'

type Forking = [id: string, atSeq: number | undefined, options: ForkOptions]
type Watching = [id: string, fromSeq?: number, options?: WatchOptions]
const owner = { type: 'Ghost', path: 'ghost' }

class ForksAll extends MortalStore {
  override async fork(...[id, atSeq, options]: Forking): Promise<Fork> {
    const fork = await super.fork(id, undefined, options)
    return atSeq === undefined ? fork : { ...fork, from: { ...fork.from, seq: atSeq } }
  }
}

class ForksWithoutTheLast extends MortalStore {
  override async fork(...[id, atSeq, options]: Forking): Promise<Fork> {
    const events = []
    for await (const event of this.read(id)) events.push(event)
    return super.fork(id, atSeq ?? Math.max(1, events.length - 1), options)
  }
}

class ForksUnderOneName extends MortalStore {
  override fork(...[id, atSeq, options]: Forking): Promise<Fork> {
    return super.fork(id, atSeq, { ...options, id: options.id ?? 'fork' })
  }
}

/** Its forks stay held by who made them. */
class KeepsForks extends MortalStore {
  override async fork(...forking: Forking): Promise<Fork> {
    const fork = await super.fork(...forking)
    await super.claim(fork.id, { owner, expect: 'existing' })
    return fork
  }
}

class ClaimsToFork extends MortalStore {
  override async fork(...[id, ...rest]: Forking): Promise<Fork> {
    const { writer } = await super.claim(id, { owner, expect: 'existing', takeover: true })
    await writer.release()
    return super.fork(id, ...rest)
  }
}

/** Its forks find the long texts where they were. */
class LeavesTextsBehind extends MortalStore {
  readonly #forks = new Map<string, string>()

  override async fork(...forking: Forking): Promise<Fork> {
    const fork = await super.fork(...forking)
    this.#forks.set(fork.id, fork.from.id)
    return fork
  }

  override readBlob(id: string, blob: string): Promise<string> {
    return super.readBlob(this.#forks.get(id) ?? id, blob)
  }
}

class ForksWhereItCan extends MortalStore {
  override async fork(...[id, atSeq, options]: Forking): Promise<Fork> {
    try {
      return await super.fork(id, atSeq, options)
    } catch (error) {
      if (!LoaderError.is(error, 'impossible_event')) throw error
      return super.fork(id, undefined, options)
    }
  }
}

class ForksNothing extends MortalStore {
  override async fork(...[id, atSeq, options]: Forking): Promise<Fork> {
    try {
      return await super.fork(id, atSeq, options)
    } catch (error) {
      if (!LoaderError.is(error, 'session_not_found')) throw error
      return { id: options.id ?? '', from: { id, seq: 0 } }
    }
  }
}

class ForksOverOthers extends MortalStore {
  override async fork(...[id, atSeq, options]: Forking): Promise<Fork> {
    try {
      return await super.fork(id, atSeq, options)
    } catch (error) {
      if (!LoaderError.is(error, 'session_exists')) throw error
      await super.delete(options.id ?? '')
      return super.fork(id, atSeq, options)
    }
  }
}

/** Ends when nothing more is there. */
class WatchesOnce extends MortalStore {
  override async *watch(...[id, fromSeq = 1]: Watching): AsyncIterableIterator<WatchItem> {
    for await (const event of this.read(id, { fromSeq })) yield { kind: 'event', event }
  }
}

class WatchesFromTheStart extends MortalStore {
  override watch(...[id, , options]: Watching): AsyncIterableIterator<WatchItem> {
    return super.watch(id, 1, options)
  }
}

class KeepsQuietAboutWriters extends MortalStore {
  override watch(...watching: Watching): AsyncIterableIterator<WatchItem> {
    const items = super.watch(...watching)
    const next = async (): Promise<IteratorResult<WatchItem>> => {
      const item = await items.next()
      return item.done !== true && item.value.kind === 'writer_changed' ? next() : item
    }
    return { next, return: () => items.return?.() ?? end(), [Symbol.asyncIterator]: () => items }
  }
}

class ClaimsToWatch extends MortalStore {
  override watch(...[id, fromSeq, options]: Watching): AsyncIterableIterator<WatchItem> {
    const items = super.watch(id, fromSeq, options)
    let claim: Promise<unknown> | undefined
    const next = async () => {
      claim ??= super.claim(id, { owner, expect: 'existing', takeover: true })
      await claim.catch(() => undefined)
      return items.next()
    }
    return { next, return: () => items.return?.() ?? end(), [Symbol.asyncIterator]: () => items }
  }
}

/** Shows the last event again when it is stopped. */
class GoesOnWhenStopped extends MortalStore {
  override watch(...watching: Watching): AsyncIterableIterator<WatchItem> {
    const items = super.watch(...watching)
    let last: WatchItem | undefined
    let isStopped = false
    const next = async (): Promise<IteratorResult<WatchItem>> => {
      const item = await items.next()
      if (item.done !== true) last = item.value
      return isStopped && last !== undefined ? { value: last, done: false } : item
    }
    const stop = async () => {
      isStopped = true
      return (await items.return?.()) ?? end()
    }
    return { next, return: stop, [Symbol.asyncIterator]: () => items }
  }
}

/** Takes a signal for an error. */
class FailsAtTheSignal extends MortalStore {
  override watch(...[id, fromSeq, options = {}]: Watching): AsyncIterableIterator<WatchItem> {
    const items = super.watch(id, fromSeq, options)
    const next = async () => {
      const item = await items.next()
      if (item.done === true && options.signal?.aborted) throw new Error('It was aborted.')
      return item
    }
    return { next, return: () => items.return?.() ?? end(), [Symbol.asyncIterator]: () => items }
  }
}

class WatchesNothing extends MortalStore {
  override watch(...watching: Watching): AsyncIterableIterator<WatchItem> {
    const items = super.watch(...watching)
    const next = async () => {
      try {
        return await items.next()
      } catch (error) {
        if (LoaderError.is(error, 'session_not_found')) return end()
        throw error
      }
    }
    return { next, return: () => items.return?.() ?? end(), [Symbol.asyncIterator]: () => items }
  }
}

const end = async () => ({ value: undefined, done: true }) as const

class RemembersTheHolder extends MortalStore {
  readonly #holders = new Map<string, Owner>()

  override async claim(...[id, options]: Parameters<MortalStore['claim']>): ReturnType<MortalStore['claim']> {
    const claim = await super.claim(id, options)
    if (!this.#holders.has(id)) this.#holders.set(id, options.owner)
    return claim
  }

  override async holder(id: string): Promise<Owner | null> {
    await super.holder(id)
    return this.#holders.get(id) ?? null
  }
}

class TellsNobody extends MortalStore {
  override async holder(): Promise<Owner | null> {
    return null
  }
}

class ClaimsToTellTheHolder extends MortalStore {
  override async holder(id: string): Promise<Owner | null> {
    const holder = await super.holder(id)
    if (holder === null) return null
    const { writer } = await super.claim(id, { owner: holder, expect: 'existing', takeover: true })
    return writer.epoch > 0 ? holder : null
  }
}

export const wrongCapabilities: readonly WrongStore[] = [
  wrong(
    'forks all of a session, always',
    () => new ForksAll(),
    'a fork has the events up to the point, and then says where they come from',
    'a fork is listed, and goes on like any session',
    'a fork at an event that is not there is refused, and leaves nothing',
  ),
  wrong(
    'forks all but the last event',
    () => new ForksWithoutTheLast(),
    'a fork without a point has all events',
    'a fork leaves the session as it is, also while a writer holds it',
    'a fork keeps the long texts that its events name, also when the session is deleted',
  ),
  wrong('has one name for forks', () => new ForksUnderOneName(), 'a fork without an id gets one from the environment'),
  wrong('keeps holding its forks', () => new KeepsForks(), 'a fork is listed, and goes on like any session'),
  wrong(
    'claims a session to fork it',
    () => new ClaimsToFork(),
    'a fork leaves the session as it is, also while a writer holds it',
  ),
  wrong(
    'leaves long texts where they were',
    () => new LeavesTextsBehind(),
    'a fork keeps the long texts that its events name, also when the session is deleted',
  ),
  wrong(
    'forks as far as it can',
    () => new ForksWhereItCan(),
    'a fork at an event that is not there is refused, and leaves nothing',
  ),
  wrong('forks what is not there', () => new ForksNothing(), 'a fork of a session that is not there is refused'),
  wrong('forks over other sessions', () => new ForksOverOthers(), 'a fork never replaces a session'),
  wrong(
    'watches what is there, and no more',
    () => new WatchesOnce(),
    'watching shows what is there, and then what is written',
    'watching says when another writer has the session, before what it writes',
    'watching ends when the signal says so, also while it waits, and at once if it has',
  ),
  wrong(
    'watches from the beginning, always',
    () => new WatchesFromTheStart(),
    'watching begins at the event that it is asked for',
  ),
  wrong(
    'keeps quiet about other writers',
    () => new KeepsQuietAboutWriters(),
    'watching says when another writer has the session, before what it writes',
  ),
  wrong(
    'claims a session to watch it',
    () => new ClaimsToWatch(),
    'watching shows what is there, and then what is written',
    'watching disturbs no writer, and takes no epoch',
  ),
  wrong(
    'goes on watching when it is stopped',
    () => new GoesOnWhenStopped(),
    'watching ends when the consumer stops, also while it waits',
  ),
  wrong(
    'fails at the signal',
    () => new FailsAtTheSignal(),
    'watching ends when the signal says so, also while it waits, and at once if it has',
  ),
  wrong(
    'watches what is not there',
    () => new WatchesNothing(),
    'watching a session that is not there, or no longer there, says so',
  ),
  wrong(
    'remembers who held a session first',
    () => new RemembersTheHolder(),
    'the holder of a session is told, and none once it is released',
    'after a takeover it is the new writer that holds the session',
    'what a dead process held has no holder',
  ),
  wrong(
    'says that nobody holds anything',
    () => new TellsNobody(),
    'the holder of a session is told, and none once it is released',
    'after a takeover it is the new writer that holds the session',
    'who holds a session that is not there cannot be told',
  ),
  wrong(
    'claims a session to tell who holds it',
    () => new ClaimsToTellTheHolder(),
    'the holder of a session is told, and none once it is released',
    'asking who holds a session takes no epoch, and disturbs no writer',
  ),
]
