import { LoaderError, type SessionState } from '@loader/session-core'
import { basename, join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { codeOf, isRefusal, refusal } from '../disk/file-errors.ts'
import { cannotLink, describeHolder, isDeleted, isHeld, type Lock, type LockContent, takeLock } from '../disk/lock.ts'
import { putInPlace, replaceFile, writeTemporary } from '../disk/new-file.ts'
import { newestBeside, newestOf, newestWith } from '../disk/newest-lock.ts'
import type { ProcessTable } from '../disk/process-table.ts'
import { hex } from '../format/checksum.ts'
import { SnapshotText } from '../format/snapshot.ts'
import type { Layout } from '../format/layout.ts'
import { firstSeed } from '../format/segment.ts'
import { isBegun } from '../read/presence.ts'
import { readSnapshot } from '../read/session-files.ts'
import { clearFiles } from './delete.ts'
import { Journal } from './journal.ts'

/** A file of the new session: new content, or one that never changes and can be shared with another session. */
export type Content = { readonly bytes: Uint8Array } | { readonly shared: string }

/** All of a session that is not there yet. */
export interface SessionContent {
  readonly id: string
  readonly state: SessionState
  /** In order; the first one gets number 1. */
  readonly segments: readonly Content[]
  readonly lastSealedSeq: number
  /** Checksum that the journal continues from. */
  readonly chain: number
  /** What the journal begins with. */
  readonly live: readonly { readonly seq: number; readonly json: string }[]
  readonly blobs: ReadonlyMap<string, Content>
}

export interface Maker {
  readonly disk: Disk
  readonly layout: Layout
  readonly processes: ProcessTable
  /** Where the remaining files of a deleted session with this id are moved to. */
  readonly trash: string
}

/**
 * Puts a whole session in place, or none.
 *
 * Its lock says that it is being made, durably, before any other file gets its name: until the lock says something else,
 * no process takes these files for a session, and after a crash the next process that wants the id removes them. The
 * session begins to exist at the moment when its lock says something else.
 */
export async function makeSession(maker: Maker, session: SessionContent): Promise<void> {
  const { disk, layout } = maker
  const { lock, replaces } = beginMaking(maker, session)
  let snapshot: string | undefined
  try {
    await flushFile(disk, layout.lock(lock.epoch))
    await disk.flushDirectory(layout.directory)
    if (replaces) await clearFiles(disk, layout, session.id, { lock, trash: maker.trash })
    snapshot = await placeAll(disk, layout, lock, session)
    await reveal(disk, layout, lock)
  } catch (error) {
    if (snapshot !== undefined) disk.removeIfThere(snapshot)
    await abandon(disk, layout, lock, session.id)
    throw isRefusal(error) ? refusal(error, `make session ${session.id}`, layout.directory) : error
  }
  await placeSnapshot(disk, layout, lock, snapshot)
}

const longestId = 64

/** An id under which a session can be made: that of another session, with this behind it. */
export function freeIdLike(other: string, suffix: string, makerOf: (id: string) => Maker): string {
  for (let count = 1; ; count += 1) {
    const ending = count === 1 ? suffix : `${suffix}-${count}`
    const id = `${other.slice(0, longestId - ending.length)}${ending}`
    if (isFree(makerOf(id), id)) return id
  }
}

function isFree({ disk, layout, processes }: Maker, id: string): boolean {
  const { lock: holder } = newestOf(disk, layout, id)
  return !isHeld(holder, processes) && (isDeleted(holder) || !isBegun(disk, layout, id))
}

function beginMaking({ disk, layout, processes }: Maker, { id }: SessionContent): { lock: Lock; replaces: boolean } {
  const content: LockContent = { state: 'making', id, owner: maker, process: processes.self }
  for (let found = newestOf(disk, layout, id); ;) {
    const { epoch: newest, lock: holder, isCleared } = found
    if (isHeld(holder, processes)) throw taken('session_busy', id, `is held by ${describeHolder(holder)}`)
    if (!isDeleted(holder) && isBegun(disk, layout, id)) throw taken('session_exists', id, 'is already there')
    const lock = takeLock(disk, layout, newest + 1, content)
    const snapshot = readSnapshot(disk, layout, id)
    const seen = lock && newestWith(disk, layout, id, { epoch: lock.epoch, above: found, snapshot })
    if (lock !== undefined && seen === lock.epoch) return { lock, replaces: newest > 0 && !isCleared }
    lock?.withdraw()
    found = seen === undefined ? newestOf(disk, layout, id) : newestBeside(disk, layout, id, snapshot, { seen })
  }
}

function taken(code: 'session_busy' | 'session_exists', id: string, what: string): LoaderError {
  return new LoaderError(code, `Session ${id} ${what}. Choose another id.`)
}

const maker = { type: 'FileSessionStore', path: 'file-session-store' }

/** Everything but the snapshot, which is made and not put in place yet: its name, as of now, is what this gives. */
async function placeAll(disk: Disk, layout: Layout, lock: Lock, session: SessionContent): Promise<string> {
  const { state, segments, lastSealedSeq, chain, live } = session
  const stillOurs = () => lock.requireOwnership()
  await placeBlobs(disk, layout, session.blobs, stillOurs)
  for (const [index, segment] of segments.entries()) {
    await place(disk, { path: layout.segment(index + 1), directory: layout.directory, stillOurs }, segment)
  }
  // The copied claims count: the epoch of the next claim of this session has to be later than all of theirs.
  const epoch = Math.max(lock.epoch, state.epoch)
  const records = live.map(({ seq, json }) => ({ seq, json, epoch, durable: seq - 1 }))
  const journal = await Journal.begin(disk, layout.journal, layout.directory, {
    records,
    seed: chain,
    mark: firstSeed(session.id),
    room: 0,
    stillOurs,
  })
  journal.close()
  const store = { epoch, segments: segments.length, lastSealedSeq, chain: hex(chain), tidy: true }
  const { path, fd } = await writeTemporary(disk, layout.snapshot, new SnapshotText().pieces(state, store))
  disk.fs.closeSync(fd)
  return path
}

async function placeBlobs(
  disk: Disk,
  layout: Layout,
  blobs: SessionContent['blobs'],
  stillOurs: () => void,
): Promise<void> {
  if (blobs.size === 0) return
  disk.fs.mkdirSync(layout.blobs, { recursive: true, mode: 0o700 })
  for (const [blob, content] of blobs) {
    await place(disk, { path: join(layout.blobs, basename(blob)), directory: layout.blobs, stillOurs }, content)
  }
  await disk.flushDirectory(layout.blobs)
}

interface Place {
  readonly path: string
  readonly directory: string
  readonly stillOurs: () => void
}

async function place(disk: Disk, to: Place, content: Content): Promise<void> {
  if ('bytes' in content) return void (await replaceFile(disk, { ...to, bytes: content.bytes }))
  to.stillOurs()
  try {
    disk.fs.linkSync(content.shared, to.path)
  } catch (error) {
    if (!cannotLink(error)) throw error
    await replaceFile(disk, { ...to, bytes: disk.read(content.shared) })
  }
}

/** From here on the session is there. Everything that it consists of is durable by now. */
async function reveal(disk: Disk, layout: Layout, lock: Lock): Promise<void> {
  await disk.flushDirectory(layout.directory)
  lock.requireOwnership()
  await lock.reveal()
}

/**
 * The snapshot comes last: a reader that finds one does not look for the lock that says that the session is being made. It is a
 * cache, so from here on nothing that fails undoes the session; and the lock goes, for the snapshot says all that it said.
 */
async function placeSnapshot(disk: Disk, layout: Layout, lock: Lock, temporary: string): Promise<void> {
  const names = disk.openDirectory(layout.directory)
  try {
    await putInPlace(disk, temporary, layout.snapshot, () => lock.requireOwnership())
    await names.flush()
    lock.removeOlder()
    lock.forget()
    lock.release()
  } catch (error) {
    if (!LoaderError.is(error, 'writer_fenced') && codeOf(error) === undefined) throw error
    removeAnyway(disk, temporary)
    lock.abandon()
  } finally {
    names[Symbol.dispose]()
  }
}

function removeAnyway(disk: Disk, path: string): void {
  try {
    disk.removeIfThere(path)
  } catch (error) {
    if (codeOf(error) === undefined) throw error
  }
}

/** Clears away the files that were placed; not where another process took over, whose files they are then. */
async function abandon(disk: Disk, layout: Layout, lock: Lock, id: string): Promise<void> {
  try {
    lock.requireOwnership()
  } catch (error) {
    if (!LoaderError.is(error, 'writer_fenced')) throw error
    return lock.abandon()
  }
  await clearFiles(disk, layout, id, { lock, trash: undefined })
  lock.mark('deleted')
}

async function flushFile(disk: Disk, path: string): Promise<void> {
  const fd = disk.fs.openSync(path, 'r+')
  try {
    await disk.flush(fd)
  } finally {
    disk.fs.closeSync(fd)
  }
}
