import { type ClaimOptions, LoaderError } from '@loader/session-core'
import type { Disk } from './disk.ts'
import { epochHint, epochTail } from './head.ts'
import { type Layout, lockNumbers } from './layout.ts'
import { removeLeftovers } from './leftovers.ts'
import { describeHolder, isDeleted, isHeld, type Lock, type LockContent, readLock, takeLock } from './lock.ts'
import type { ProcessTable } from './process-table.ts'
import { parseJournal } from './record.ts'
import { recover, type Recovery, tellsOfEvents } from './recover.ts'
import { firstSeed } from './segment.ts'
import { findFiles, listedNumbers } from './session-files.ts'

export interface Claimed {
  readonly lock: Lock
  /** A deleted session stood here: what is left of it has to go before anything else is done. */
  readonly replacesDeleted: boolean
  /** Undefined when there is nothing of a session yet. */
  readonly recovery: Recovery | undefined
  /** Bytes of the journal will not be in the next one. */
  readonly leavesDebris: boolean
}

/**
 * Takes a session for one writer. The lock comes first and the reading second: whoever held the session before can then
 * acknowledge nothing more that this reading would miss.
 */
export function claimFiles(
  disk: Disk,
  layout: Layout,
  id: string,
  { owner, expect, takeover = false }: ClaimOptions,
  processes: ProcessTable,
): Claimed {
  let floor = newestEpoch(disk, layout, id)
  for (;;) {
    const newest = newestLock(disk, layout, floor)
    const holder = readLock(disk, layout.lock(newest))
    requireExpected(disk, layout, id, expect, holder)
    if (isHeld(holder, processes) && !takeover) throw busy(id, holder)
    const content: LockContent = { state: 'held', id, owner, process: processes.self }
    const lock = takeLock(disk, layout, newest + 1, content)
    if (lock === undefined) continue
    if (isDeleted(holder)) return { lock, recovery: undefined, replacesDeleted: true, leavesDebris: false }
    const found = read(disk, layout, id, lock, { clears: newest > 0 && !hasEnded(holder) })
    if (found.epoch < lock.epoch) return { lock, ...found, replacesDeleted: false }
    // The records know of later claims than the locks do.
    disk.removeIfThere(layout.lock(lock.epoch))
    floor = found.epoch
  }
}

/** Whether the writer behind a lock gave the session free: then nothing of it is left to be cleared. */
function hasEnded(holder: LockContent | 'unreadable' | undefined): boolean {
  return typeof holder === 'object' && holder.state === 'released'
}

function read(
  disk: Disk,
  layout: Layout,
  id: string,
  lock: Lock,
  { clears }: { readonly clears: boolean },
): Pick<Claimed, 'recovery' | 'leavesDebris'> & { epoch: number } {
  try {
    if (clears) removeLeftovers(disk, layout, id, lock.epoch)
    const found = findFiles(disk, layout, id)
    const recovery = recover(found)
    const epochs = (recovery?.live ?? []).map((record) => record.epoch)
    // Sealed events have no epoch of their own, but every claim is an event.
    const claims = (recovery?.events ?? []).map((event) => ('epoch' in event ? event.epoch : 0))
    const epoch = Math.max(0, recovery?.state?.epoch ?? 0, ...epochs, ...claims)
    return { recovery, leavesDebris: recovery?.leavesDebris ?? isUsed(found.journal), epoch }
  } catch (error) {
    // Nothing can be written to it: leave it free for whoever reads or salvages.
    lock.abandon()
    throw error
  }
}

function requireExpected(
  disk: Disk,
  layout: Layout,
  id: string,
  expect: ClaimOptions['expect'],
  holder: LockContent | 'unreadable' | undefined,
): void {
  const there = !isDeleted(holder) && hasEvents(disk, layout, id)
  if (expect === 'new' && there) {
    throw new LoaderError('session_exists', `Session ${id} is already there. Load it, or choose another id.`)
  }
  if (expect === 'existing' && !there) throw notFound(id, layout.directory)
}

export function notFound(id: string, directory: string): LoaderError {
  return new LoaderError(
    'session_not_found',
    `There is no session ${id} in ${directory}. List the sessions to see which there are.`,
  )
}

/** Whether anything of a session is there: a first write that did not finish is nothing yet. */
export function hasEvents(disk: Disk, layout: Layout, id: string): boolean {
  if (disk.exists(layout.head) || disk.exists(layout.segment(1))) return true
  const journal = disk.readIfThere(layout.journal)
  if (isUsed(journal) && tellsOfEvents(parseJournal(journal, () => firstSeed(id)))) return true
  return listedNumbers(disk, layout, id).length > 0
}

function isUsed(journal: Uint8Array | undefined): journal is Uint8Array {
  return journal?.some((byte) => byte !== 10) === true
}

/** Where to begin to look for the newest lock. A head may be old or damaged, so what it names has to be there. */
function newestEpoch(disk: Disk, layout: Layout, id: string): number {
  const hint = epochHint(disk.readTail(layout.head, epochTail))
  if (hint > 0 && disk.exists(layout.lock(hint))) return hint
  const listed = disk.exists(layout.directory) ? lockNumbers(disk.fs.readdirSync(layout.directory), id) : []
  return listed.at(-1) ?? hint
}

export function newestLockOf(disk: Disk, layout: Layout, id: string): number {
  return newestLock(disk, layout, newestEpoch(disk, layout, id))
}

/** Locks of later epochs stand without a gap above the newest one that the session itself knows of. */
function newestLock(disk: Disk, layout: Layout, floor: number): number {
  let newest = floor
  while (disk.exists(layout.lock(newest + 1))) newest += 1
  return newest
}

function busy(id: string, holder: LockContent | 'unreadable' | undefined): LoaderError {
  return new LoaderError(
    'session_busy',
    `Session ${id} is held by ${describeHolder(holder)}. Close it there, read it without claiming, or take it over.`,
  )
}
