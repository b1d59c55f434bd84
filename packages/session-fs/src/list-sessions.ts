import type { ListQuery, SessionPage } from '@loader/session-core'
import { systemDisk } from './disk/disk.ts'
import { type FileSessionStorePlace, sessionsDirectory } from './disk/place.ts'
import { indexedPage } from './list/indexed-page.ts'

/**
 * What `FileSessionStore.list` gives, for programs that only show it: the store, and all that reads a session itself, is
 * loaded only where the index does not answer.
 */
export async function listSessions(place: FileSessionStorePlace, query: ListQuery = {}): Promise<SessionPage> {
  const page = indexedPage(systemDisk(), sessionsDirectory(place), query)
  if (page !== undefined) return page
  const { FileSessionStore } = await import('./store.ts')
  return new FileSessionStore(place).list(query)
}
