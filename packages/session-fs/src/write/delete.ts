import { basename, join } from 'node:path'
import { LoaderError } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import { describeHeld, isHeld, type Lock, type LockContent, takeLock } from '../disk/lock.ts'
import { isFoundWithoutHead, newestBeside, newestOf, newestWith } from '../disk/newest-lock.ts'
import type { ProcessTable } from '../disk/process-table.ts'
import { parseJournal } from '../format/journal-content.ts'
import type { Layout } from '../format/layout.ts'
import { firstSeed } from '../format/segment.ts'
import { hasEvents, notFound } from '../read/presence.ts'
import { type FoundHead, numbersFrom, readHead } from '../read/session-files.ts'

/**
 * Marks a session as deleted: from here on nobody reads, claims or writes it, whatever of its files is still there. The
 * mark is a lock like any other, so a writer that was displaced finds it before it acknowledges anything.
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
    const head = readHead(disk, layout, id)
    const told = toldBy(disk, layout, id, head)
    const seen = lock && newestWith(disk, layout, id, { epoch, above: { ...found, told }, head })
    if (lock !== undefined && seen === epoch && told < epoch) return lock
    lock?.withdraw()
    found = newestBeside(disk, layout, id, head, { told, ...(seen !== undefined && seen !== epoch && { seen }) })
  }
}

/** The last epoch that the journal behind this head tells of: a power cut may have taken the lock of it. */
function toldBy(disk: Disk, layout: Layout, id: string, head: FoundHead): number {
  if (head.kind !== 'good') return 0
  const journal = disk.readCache(layout.journal)
  const chain = Number.parseInt(head.store.chain, 16)
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
    // Somebody began another session under the id, and clears away the rest of this one.
    if (!LoaderError.is(error, 'writer_fenced')) throw error
  }
}

/**
 * Moves what is left of a deleted session to the trash, or, without one, removes it. The head goes last, and where nothing
 * else leads to the newest lock, lock 0 does before that.
 */
export async function clearFiles(
  disk: Disk,
  layout: Layout,
  id: string,
  { lock, trash }: { readonly lock: Lock; readonly trash: string | undefined },
): Promise<void> {
  const names = namesOf(disk, layout, id, readHead(disk, layout, id))
  if (names.length === 0) return
  if (!isFoundWithoutHead(disk, layout, lock.epoch)) await lock.remember()
  const target = trash && join(trash, `${id}-${process.hrtime.bigint().toString(36)}`)
  if (target !== undefined) disk.fs.mkdirSync(target, { recursive: true, mode: 0o700 })
  for (const name of names) {
    // Asked each time: who begins another session under the id has files of the same names.
    lock.requireOwnership()
    const path = join(layout.directory, name)
    if (target !== undefined) disk.fs.renameSync(path, join(target, name))
    else remove(disk, path)
  }
  await disk.flushDirectory(layout.directory)
}

/** Everything that bears the name of the session, but for its locks; the head is the last. */
function namesOf(disk: Disk, layout: Layout, id: string, head: FoundHead): string[] {
  const key = `${id.toLowerCase()}.`
  const names =
    head.kind === 'good' && head.store.tidy === true
      ? tidyNames(disk, layout, head.store.segments)
      : disk.fs.readdirSync(layout.directory).filter((name) => name.startsWith(key) && !name.startsWith(`${key}lock.`))
  const headName = `${key}json`
  return [...names.filter((name) => name !== headName), ...names.filter((name) => name === headName)]
}

/** The last segment goes first, so that those that are left begin with the first one. */
function tidyNames(disk: Disk, layout: Layout, segments: number): string[] {
  const later = numbersFrom(disk, layout, segments + 1)
  const numbers = [...Array.from({ length: segments }, (_, index) => index + 1), ...later].toReversed()
  const paths = [...numbers.map((number) => layout.segment(number)), layout.journal, layout.blobs, layout.head]
  return paths.filter((path) => disk.exists(path)).map((path) => basename(path))
}

function remove(disk: Disk, path: string): void {
  if (disk.fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return disk.removeIfThere(path)
  for (const name of disk.fs.readdirSync(path)) disk.removeIfThere(join(path, name))
  disk.fs.rmdirSync(path)
}
