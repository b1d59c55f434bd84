import { type ListQuery, pageOf, type SessionPage, SessionRow } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import { unreadable } from '../disk/file-errors.ts'
import { fromIndex } from './indexed-rows.ts'

/** The page as the index has it; undefined where only the files can tell. */
export function indexedPage(disk: Disk, directory: string, query: ListQuery): SessionPage | undefined {
  if (query.check === true) return undefined
  try {
    if (!disk.exists(directory)) return { rows: [] }
    const page = fromIndex(disk, directory, (rows) => pageOf(rows, query))
    return page && parsePage(page)
  } catch (error) {
    throw unreadable(error, 'list the sessions', directory)
  }
}

/** The page, if its rows are rows: an index that is not what it should be is as good as none. */
function parsePage({ rows, cursor }: SessionPage): SessionPage | undefined {
  const parsed: SessionRow[] = []
  for (const row of rows) {
    const { data } = SessionRow.safeParse(row)
    if (data === undefined) return undefined
    parsed.push(data)
  }
  return { rows: parsed, ...(cursor !== undefined && { cursor }) }
}
