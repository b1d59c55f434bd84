import { LoaderError, type SessionState } from '@loader/session-core'
import { basename, join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { isRefusal, refusal } from '../disk/file-errors.ts'
import {
  cannotLink,
  describeHolder,
  isDeleted,
  isHeld,
  type Lock,
  type LockContent,
  readLock,
  takeLock,
  textOf,
} from '../disk/lock.ts'
import { replaceFile } from '../disk/new-file.ts'
import { newestLockOf } from '../disk/newest-lock.ts'
import type { ProcessTable } from '../disk/process-table.ts'
import { hex } from '../format/checksum.ts'
import { headPieces } from '../format/head.ts'
import type { Layout } from '../format/layout.ts'
import { firstSeed } from '../format/segment.ts'
import { hasEvents } from '../read/presence.ts'
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
  /** Where to what is left of a deleted session with this id. */
  readonly trash: string
}

/**
 * Puts a whole session in place, or none.
 *
 * Its lock says that it is being made, durably, before any other file gets its name: until the lock is replaced by one
 * that says something else, nobody takes what is there for a session, and after a crash it is cleared away by whoever
 * wants the id next. That replacement is the moment at which the session begins to be.
 */
export async function makeSession(maker: Maker, session: SessionContent): Promise<void> {
  const { disk, layout } = maker
  const { lock, content } = beginMaking(maker, session)
  try {
    await flushFile(disk, layout.lock(lock.epoch))
    await disk.flushDirectory(layout.directory)
    await clearFiles(disk, layout, session.id, maker.trash)
    await placeAll(disk, layout, lock, session)
    await reveal(disk, layout, lock, content)
  } catch (error) {
    await abandon(disk, layout, lock, session.id)
    throw isRefusal(error) ? refusal(error, `make session ${session.id}`, layout.directory) : error
  }
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
  const holder = readLock(disk, layout.lock(newestLockOf(disk, layout, id)))
  return !isHeld(holder, processes) && (isDeleted(holder) || !hasEvents(disk, layout, id))
}

function beginMaking(
  { disk, layout, processes }: Maker,
  { id, state }: SessionContent,
): { lock: Lock; content: LockContent } {
  const content: LockContent = { state: 'making', id, owner: maker, process: processes.self }
  for (;;) {
    const newest = newestLockOf(disk, layout, id)
    const holder = readLock(disk, layout.lock(newest))
    if (isHeld(holder, processes)) throw taken('session_busy', id, `is held by ${describeHolder(holder)}`)
    if (!isDeleted(holder) && hasEvents(disk, layout, id)) throw taken('session_exists', id, 'is already there')
    // The claims that are copied count: whoever claims this session next is later than all of them.
    const lock = takeLock(disk, layout, Math.max(newest + 1, state.epoch), content)
    if (lock !== undefined) return { lock, content }
  }
}

function taken(code: 'session_busy' | 'session_exists', id: string, what: string): LoaderError {
  return new LoaderError(code, `Session ${id} ${what}. Choose another id.`)
}

const maker = { type: 'FileSessionStore', path: 'file-session-store' }

async function placeAll(disk: Disk, layout: Layout, lock: Lock, session: SessionContent): Promise<void> {
  const { state, segments, lastSealedSeq, chain, live } = session
  const stillOurs = () => lock.requireOwnership()
  await placeBlobs(disk, layout, session.blobs, stillOurs)
  for (const [index, segment] of segments.entries()) {
    await place(disk, { path: layout.segment(index + 1), directory: layout.directory, stillOurs }, segment)
  }
  const store = { epoch: lock.epoch, segments: segments.length, lastSealedSeq, chain: hex(chain) }
  await replaceFile(disk, {
    path: layout.head,
    directory: layout.directory,
    bytes: headPieces(state, store),
    stillOurs,
  })
  const records = live.map(({ seq, json }) => ({ seq, json, epoch: lock.epoch, durable: seq - 1 }))
  const journal = await Journal.begin(disk, layout.journal, layout.directory, {
    records,
    seed: chain,
    mark: firstSeed(session.id),
    room: 0,
    stillOurs,
  })
  journal.close()
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
    await replaceFile(disk, { ...to, bytes: disk.fs.readFileSync(content.shared) })
  }
}

/** From here on the session is there. Everything that it consists of is durable by now. */
async function reveal(disk: Disk, layout: Layout, lock: Lock, content: LockContent): Promise<void> {
  await disk.flushDirectory(layout.directory)
  await replaceFile(disk, {
    path: layout.lock(lock.epoch),
    directory: layout.directory,
    bytes: Buffer.from(textOf({ ...content, state: 'released' })),
    stillOurs: () => lock.requireOwnership(),
  })
}

/** Clears away what was placed, but for what belongs to somebody who took over. */
async function abandon(disk: Disk, layout: Layout, lock: Lock, id: string): Promise<void> {
  try {
    lock.requireOwnership()
  } catch (error) {
    if (LoaderError.is(error, 'writer_fenced')) return
    throw error
  }
  await clearFiles(disk, layout, id, undefined)
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
