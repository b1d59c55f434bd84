import type { Claim, SessionStore, StoredEvent } from '@loader/session-core'
import type { CrashPorts } from '../../src/index.ts'
import { book, type Books, type Folder, work } from './bookkeeper.ts'

export { storeOf } from './bookkeeper.ts'

/** The planted bug: the result is acknowledged at once, and the ledger written when there is time. */
export async function acknowledgeFirst(ports: CrashPorts<Folder>): Promise<Books> {
  const later: (() => Promise<string>)[] = []
  const books = await work(ports, ports.store, {
    async book() {
      later.push(() => book(ports))
      return 'Booked.'
    },
  })
  for (const write of later) await write()
  return { ...books, ledger: later.length > 0 ? ['invoice 7'] : books.ledger }
}

/** The planted bug: the tool runs before it is durable that it was started. */
export function startFirst(ports: CrashPorts<Folder>): Promise<Books> {
  return work(ports, startingLate(ports.store), { book: () => book(ports) })
}

export const scenario = acknowledgeFirst
export const resume = acknowledgeFirst

/** Keeps `tool.started` back until the next event is written. */
function startingLate(store: SessionStore): SessionStore {
  return {
    ...store,
    async claim(id, options): Promise<Claim> {
      const claim = await store.claim(id, options)
      const held: StoredEvent[] = []
      const append: Claim['writer']['append'] = async (events, level) => {
        held.push(...events)
        if (events.some(({ type }) => type === 'tool.started')) return
        await claim.writer.append(held.splice(0), level)
      }
      return { ...claim, writer: { ...claim.writer, append } }
    },
  }
}
