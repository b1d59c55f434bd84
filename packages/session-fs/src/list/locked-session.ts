import { LoaderError, type Owner, type SessionRow } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import { codeOf } from '../disk/file-errors.ts'
import { holderOf, isClosed, isDeleted, type LockContent } from '../disk/lock.ts'
import { newestOf } from '../disk/newest-lock.ts'
import { systemProcesses } from '../disk/process-table.ts'
import { layoutOf } from '../format/layout.ts'
import { rowOfFiles } from './rows-of-files.ts'

/** A session of a list as it is right now. */
export interface SessionNow {
  /** Its row, up to date. */
  readonly row: SessionRow
  /** What `FileSessionStore.holder` gives; absent where that cannot be told. */
  readonly holder?: Owner | null
}

/** A session with a lock: a writer may hold it, or may have ended without closing it. */
export function lockedSession(disk: Disk, directory: string, row: SessionRow): SessionNow {
  const lock = lockOf(disk, directory, row.id)
  if (lock === 'not known') return { row }
  if (isClosed(lock) || isDeleted(lock)) return { row, holder: null }
  return { row: rowOfFiles(disk, directory, row.id, row) ?? row, holder: holderOf(lock, systemProcesses()) }
}

/** One session that cannot be looked at does not hide the others. */
function lockOf(disk: Disk, directory: string, id: string): LockContent | 'unreadable' | 'not known' | undefined {
  try {
    return newestOf(disk, layoutOf(directory, id), id).lock
  } catch (error) {
    if (codeOf(error) === undefined && !LoaderError.is(error)) throw error
    return 'not known'
  }
}
