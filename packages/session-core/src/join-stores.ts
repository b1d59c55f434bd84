import type { SessionStore } from './ports/store.ts'
import {
  type ForkOptions,
  type Inbox,
  type SalvageOptions,
  type StoreCapabilities,
  type WatchOptions,
  type WholeHistory,
  withCapability,
} from './ports/store-capabilities.ts'
import { compareRows, pageOf } from './views/page-of.ts'
import { LoaderError } from './words/errors.ts'
import { assertSessionId } from './words/ids.ts'

/**
 * Several stores as one list. A session continues in the store that has it, and its copies are made there; new sessions
 * go to the first store. An id that is used in one of the stores is taken in all of them.
 */
export function joinStores(first: SessionStore, ...others: readonly SessionStore[]): SessionStore {
  if (others.length === 0) return first
  const stores = [first, ...others]
  /** The store that has a session; if none has it, the first, which reports that it is missing. */
  const storeWith = async (id: string): Promise<SessionStore> => {
    for (const store of stores) if (await has(store, id)) return store
    return first
  }
  return {
    async list(query = {}) {
      const { limit } = query
      const pages = await Promise.all(stores.map((store) => store.list(query)))
      const rows = pages.flatMap((page) => page.rows).toSorted(compareRows)
      const page = pageOf(rows, limit === undefined ? {} : { limit })
      // A page that consists of one store's page continues where that store says.
      const cursor = page.cursor ?? pages.find((one) => one.cursor !== undefined)?.cursor
      return { rows: page.rows, ...(cursor !== undefined && { cursor }) }
    },
    async *read(id, options) {
      yield* (await storeWith(id)).read(id, options)
    },
    readBlob: async (id, blob) => (await storeWith(id)).readBlob(id, blob),
    claim: async (id, options) => (await storeWith(id)).claim(id, options),
    delete: async (id, options) => (await storeWith(id)).delete(id, options),
    ...capabilitiesOf(stores, storeWith),
  }
}

type StoreWith = (id: string) => Promise<SessionStore>

/** The optional capabilities that all of the stores have. */
function capabilitiesOf(stores: readonly SessionStore[], storeWith: StoreWith): Partial<StoreCapabilities> {
  const all = (name: keyof StoreCapabilities) => stores.every((store) => store[name] !== undefined)
  const requireFree = async (id: string | undefined) => {
    if (id === undefined) return
    assertSessionId(id)
    if (!(await hasAny(stores, id))) return
    throw new LoaderError('session_exists', `Session ${id} is already there. Choose another id.`)
  }
  return {
    ...(all('fork') && {
      fork: async (id: string, atSeq: number | undefined, options: ForkOptions) => {
        await requireFree(options.id)
        return withCapability(await storeWith(id), 'fork').fork(id, atSeq, options)
      },
    }),
    ...(all('watch') && {
      watch: (id: string, fromSeq?: number, options?: WatchOptions) =>
        iteratorOf(storeWith(id).then((store) => withCapability(store, 'watch').watch(id, fromSeq, options))),
    }),
    ...(all('inbox') && {
      inbox: (id: string): Inbox => {
        const inbox = async () => withCapability(await storeWith(id), 'inbox').inbox(id)
        return {
          put: async (message) => (await inbox()).put(message),
          messages: async () => (await inbox()).messages(),
          remove: async (messageId, epoch) => (await inbox()).remove(messageId, epoch),
        }
      },
    }),
    ...(all('holder') && { holder: async (id: string) => withCapability(await storeWith(id), 'holder').holder(id) }),
    ...(all('verify') && { verify: async (id: string) => withCapability(await storeWith(id), 'verify').verify(id) }),
    ...(all('salvage') && {
      salvage: async (id: string, options: SalvageOptions) => {
        await requireFree(options.as)
        return withCapability(await storeWith(id), 'salvage').salvage(id, options)
      },
    }),
    ...(all('restore') && {
      restore: async (history: WholeHistory) => {
        await requireFree(history.id)
        await withCapability(await storeWith(history.id), 'restore').restore(history)
      },
    }),
  }
}

async function hasAny(stores: readonly SessionStore[], id: string): Promise<boolean> {
  for (const store of stores) if (await has(store, id)) return true
  return false
}

/** Whether a store has a session. One that cannot be read counts as present: its store reports the error. */
async function has(store: SessionStore, id: string): Promise<boolean> {
  try {
    for await (const _ of store.read(id)) return true
    return false
  } catch (error) {
    return !LoaderError.is(error, 'session_not_found')
  }
}

/** Unlike a generator, this iterator can be stopped while it waits. */
function iteratorOf<Item>(started: Promise<AsyncIterableIterator<Item>>): AsyncIterableIterator<Item> {
  return {
    next: async () => (await started).next(),
    async return() {
      await (await started).return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
