import { join } from 'node:path'
import { type ListQuery, pageOf, type SessionPage, SessionRow } from '@loader/session-core'
import { type Disk, systemDisk } from './disk.ts'
import { unreadable } from './file-errors.ts'
import { indexedRows } from './indexed-rows.ts'

/** `root` is a project: its sessions lie in `.loader/sessions`. `directory` is exactly that folder. */
export type FileSessionStorePlace = { readonly root: string } | { readonly directory: string }

export function sessionsDirectory(place: FileSessionStorePlace): string {
  return 'root' in place ? join(place.root, '.loader', 'sessions') : place.directory
}

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

/** The page as the index has it; undefined where only the files can tell. */
export function indexedPage(disk: Disk, directory: string, query: ListQuery): SessionPage | undefined {
  if (query.check === true) return undefined
  try {
    if (!disk.exists(directory)) return { rows: [] }
    const rows = indexedRows(disk, directory)
    return rows && parsePage(pageOf(rows, query))
  } catch (error) {
    throw unreadable(error, 'list the sessions', directory)
  }
}

/** The page, if its rows are rows: an index that is not what it should be is as good as none. */
function parsePage({ rows, cursor }: SessionPage): SessionPage | undefined {
  const parsed = rows.map((row) => SessionRow.safeParse(row))
  if (!parsed.every(({ success }) => success)) return undefined
  return { rows: parsed.flatMap(({ data }) => data ?? []), ...(cursor !== undefined && { cursor }) }
}
