import { basename, join } from 'node:path'
import { LoaderError } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import { describeHeld, isHeld, type Lock, type LockContent, takeLock } from '../disk/lock.ts'
import { isFoundWithoutSnapshot, newestBeside, newestOf, newestWith } from '../disk/newest-lock.ts'
import type { ProcessTable } from '../disk/process-table.ts'
import { parseJournal } from '../format/journal-content.ts'
import type { Layout } from '../format/layout.ts'
import { firstSeed } from '../format/segment.ts'
import { hasEvents, notFound } from '../read/presence.ts'
import { type FoundSnapshot, numbersFrom, readSnapshot } from '../read/session-files.ts'

/**
 * Marks a session as deleted: from here on no process reads, claims or writes it, even while it still has files. The mark
 * is a lock like any other, so a writer that was displaced finds it before it acknowledges anything.
 */
export function markDeleted(disk: Disk, layout: Layout, id: string, processes: ProcessTable): Lock {
  for (let found = newestOf(disk, layout, id); ;) {
    const { epoch: newest, lock: holder, isCleared } = found
    const isMaking = typeof holder === 'object' && holder.state === 'making'
    // What a deletion has left that was cut off goes now.
    if (isCleared || isMaking || !hasEvents(disk, layout, id)) throw notFound(id, layout.directory)
    if (isHeld(holder, processes)) {
      throw new LoaderError(
        'session_busy',
        `Session ${id} is held by ${describeHeld(holder, processes)}. It cannot be deleted: close it there, or take it over, first.`,
      )
    }
    const epoch = newest + 1
    const owner = { type: 'FileSessionStore', path: 'file-session-store' }
    const content: LockContent = { state: 'deleted', id, owner, process: processes.self, epoch }
    const lock = takeLock(disk, layout, epoch, content)
    const snapshot = readSnapshot(disk, layout, id)
    const told = toldBy(disk, layout, id, snapshot)
    const seen = lock && newestWith(disk, layout, id, { epoch, above: { ...found, told }, snapshot })
    if (lock !== undefined && seen === epoch && told < epoch) return lock
    lock?.withdraw()
    found = newestBeside(disk, layout, id, snapshot, { told, ...(seen !== undefined && seen !== epoch && { seen }) })
  }
}

/** The last epoch that the journal behind this snapshot tells of: a power cut may have taken the lock of it. */
function toldBy(disk: Disk, layout: Layout, id: string, snapshot: FoundSnapshot): number {
  if (snapshot.kind !== 'good') return 0
  const journal = disk.readCache(layout.journal)
  const chain = Number.parseInt(snapshot.store.chain, 16)
  const records = journal === undefined ? [] : parseJournal(journal, firstSeed(id), () => chain).records
  return records.reduce((last, { epoch }) => Math.max(last, epoch), 0)
}

/** Clears away what a session that is marked as deleted consisted of, and the locks with it. */
export async function clearDeleted(
  disk: Disk,
  layout: Layout,
  id: string,
  { lock, trash }: { readonly lock: Lock; readonly trash: string | undefined },
): Promise<void> {
  try {
    await clearFiles(disk, layout, id, { lock, trash })
    // From here on this is what tells which epochs were given.
    await lock.remember()
    lock.removeOlder()
    lock.release()
    await disk.flushDirectory(layout.directory)
  } catch (error) {
    lock.mark('deleted')
    // Another process began a new session under the id, and clears away the rest of this one.
    if (!LoaderError.is(error, 'writer_fenced')) throw error
  }
}

/**
 * Moves the remaining files of a deleted session to the trash or, without one, removes them. The snapshot goes last; where
 * it alone leads to the newest lock, lock 0 is written first, to lead there instead.
 */
export async function clearFiles(
  disk: Disk,
  layout: Layout,
  id: string,
  { lock, trash }: { readonly lock: Lock; readonly trash: string | undefined },
): Promise<void> {
  const names = namesOf(disk, layout, id, readSnapshot(disk, layout, id))
  if (names.length === 0) return
  if (!isFoundWithoutSnapshot(disk, layout, lock.epoch)) await lock.remember()
  const target = trash && join(trash, `${id}-${process.hrtime.bigint().toString(36)}`)
  if (target !== undefined) disk.fs.mkdirSync(target, { recursive: true, mode: 0o700 })
  for (const name of names) {
    // Asked for each file: a process that begins another session under the id has files of the same names.
    lock.requireOwnership()
    const path = join(layout.directory, name)
    if (target !== undefined) disk.fs.renameSync(path, join(target, name))
    else remove(disk, path)
  }
  await disk.flushDirectory(layout.directory)
}

/** Everything that bears the name of the session, but for its locks; the snapshot is the last. */
function namesOf(disk: Disk, layout: Layout, id: string, snapshot: FoundSnapshot): string[] {
  const key = `${id.toLowerCase()}.`
  const names =
    snapshot.kind === 'good' && snapshot.store.tidy === true
      ? tidyNames(disk, layout, snapshot.store.segments)
      : disk.fs.readdirSync(layout.directory).filter((name) => name.startsWith(key) && !name.startsWith(`${key}lock.`))
  const snapshotName = `${key}json`
  return [...names.filter((name) => name !== snapshotName), ...names.filter((name) => name === snapshotName)]
}

/** The last segment goes first, so that those that are left begin with the first one. */
function tidyNames(disk: Disk, layout: Layout, segments: number): string[] {
  const later = numbersFrom(disk, layout, segments + 1)
  const numbers = [...Array.from({ length: segments }, (_, index) => index + 1), ...later].toReversed()
  const paths = [
    ...numbers.map((number) => layout.segment(number)),
    layout.journal,
    layout.blobs,
    layout.inbox,
    layout.snapshot,
  ]
  return paths.filter((path) => disk.exists(path)).map((path) => basename(path))
}

function remove(disk: Disk, path: string): void {
  if (!disk.isFolder(path)) return disk.removeIfThere(path)
  for (const name of disk.fs.readdirSync(path)) disk.removeIfThere(join(path, name))
  disk.fs.rmdirSync(path)
}
