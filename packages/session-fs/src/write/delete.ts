import { join } from 'node:path'
import { LoaderError } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import { describeHeld, isDeleted, isHeld, type LockContent, readLock, takeLock } from '../disk/lock.ts'
import { newestLockOf } from '../disk/newest-lock.ts'
import type { ProcessTable } from '../disk/process-table.ts'
import type { Layout } from '../format/layout.ts'
import { hasEvents, notFound } from '../read/presence.ts'

/**
 * Marks a session as deleted: from here on nobody reads, claims or writes it, whatever of its files is still there. The
 * mark is a lock like any other, so a writer that was displaced finds it before it acknowledges anything.
 */
export function markDeleted(disk: Disk, layout: Layout, id: string, processes: ProcessTable): void {
  for (;;) {
    const newest = newestLockOf(disk, layout, id)
    const holder = readLock(disk, layout.lock(newest))
    if (isDeleted(holder) || !hasEvents(disk, layout, id)) throw notFound(id, layout.directory)
    if (isHeld(holder, processes)) {
      throw new LoaderError(
        'session_busy',
        `Session ${id} is held by ${describeHeld(holder, processes)}. It cannot be deleted: close it there, or take it over, first.`,
      )
    }
    const owner = { type: 'FileSessionStore', path: 'file-session-store' }
    const content: LockContent = { state: 'deleted', id, owner, process: processes.self }
    if (takeLock(disk, layout, newest + 1, content)) return
  }
}

/** Moves what is left of a deleted session to the trash, or, without one, removes it. The newest lock stays. */
export async function clearFiles(disk: Disk, layout: Layout, id: string, trash: string | undefined): Promise<void> {
  const names = namesOf(disk, layout, id)
  if (names.length === 0) return
  const target = trash && join(trash, `${id}-${process.hrtime.bigint().toString(36)}`)
  if (target !== undefined) disk.fs.mkdirSync(target, { recursive: true, mode: 0o700 })
  for (const name of names) {
    const path = join(layout.directory, name)
    if (target !== undefined) disk.fs.renameSync(path, join(target, name))
    else remove(disk, path)
  }
  await disk.flushDirectory(layout.directory)
}

/** Everything that bears the name of the session, but for its locks. */
function namesOf(disk: Disk, layout: Layout, id: string): string[] {
  const key = `${id.toLowerCase()}.`
  return disk.fs.readdirSync(layout.directory).filter((name) => name.startsWith(key) && !name.startsWith(`${key}lock.`))
}

function remove(disk: Disk, path: string): void {
  if (disk.fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return disk.removeIfThere(path)
  for (const name of disk.fs.readdirSync(path)) disk.removeIfThere(join(path, name))
  disk.fs.rmdirSync(path)
}
