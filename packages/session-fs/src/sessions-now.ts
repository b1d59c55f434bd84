import type { SessionRow } from '@loader/session-core'
import { type Disk, systemDisk } from './disk/disk.ts'
import { unreadable } from './disk/file-errors.ts'
import { type FileSessionStorePlace, sessionsDirectory } from './disk/place.ts'
import { lockedSessions } from './format/layout.ts'
import type { SessionNow } from './list/locked-session.ts'

/**
 * Sessions of a list as they are right now, for programs that only show them. A row is written when its session is saved:
 * in a turn it is out of date, and it stays so when the process is killed. A session that was closed has no lock and an
 * up-to-date row: files are read, and the code that reads them is loaded, only for the others.
 */
export async function sessionsNow(
  place: FileSessionStorePlace,
  rows: readonly SessionRow[],
): Promise<readonly SessionNow[]> {
  const [disk, directory] = [systemDisk(), sessionsDirectory(place)]
  const locked = lockedIn(disk, directory)
  const isLocked = ({ id }: SessionRow) => locked.has(id.toLowerCase())
  if (!rows.some(isLocked)) return rows.map((row) => ({ row, holder: null }))
  const { lockedSession } = await import('./list/locked-session.ts')
  return rows.map((row) => (isLocked(row) ? lockedSession(disk, directory, row) : { row, holder: null }))
}

function lockedIn(disk: Disk, directory: string): ReadonlySet<string> {
  try {
    return lockedSessions(disk.exists(directory) ? disk.fs.readdirSync(directory) : [])
  } catch (error) {
    throw unreadable(error, 'look at the sessions', directory)
  }
}
