import { type ListQuery, pageOf, type SessionPage, SessionRow } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import { unreadable } from '../disk/file-errors.ts'
import { fromIndex } from './indexed-rows.ts'

/** The page as the index has it; undefined where only the files can tell. */
export function indexedPage(disk: Disk, directory: string, query: ListQuery): SessionPage | undefined {
  if (query.check === true) return undefined
  try {
    if (!disk.exists(directory)) return { rows: [] }
    return fromIndex(disk, directory, (rows) => pageOf(rows, query, parsedRow))
  } catch (error) {
    throw unreadable(error, 'list the sessions', directory)
  }
}

/** An index with a row that is none is as good as no index. */
function parsedRow(row: SessionRow): SessionRow {
  const { data } = SessionRow.safeParse(row)
  if (data === undefined) throw new SyntaxError('A line of the index is not a row.')
  return data
}
