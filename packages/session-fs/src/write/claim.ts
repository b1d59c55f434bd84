import { type ClaimOptions, LoaderError, type RecoveryFinding } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import { describeHeld, isDeleted, isHeld, type Lock, type LockContent, takeLock, takenOver } from '../disk/lock.ts'
import { NotAFile } from '../disk/only-files.ts'
import { isBare, type Newest, newestBeside, newestOf, newestWith } from '../disk/newest-lock.ts'
import type { ProcessTable } from '../disk/process-table.ts'
import { isUsed } from '../format/journal-content.ts'
import type { Layout } from '../format/layout.ts'
import { recoverAsSaved } from '../read/as-saved.ts'
import { hasEvents, isBegun, notFound } from '../read/presence.ts'
import { recover, type Recovery } from '../read/recover.ts'
import { findFiles, type FoundSnapshot, readSnapshot } from '../read/session-files.ts'
import { removeLeftovers } from './leftovers.ts'

export interface Claimed {
  readonly lock: Lock
  /** A deleted session stood here: its remaining files have to go before anything else is done. */
  readonly replacesDeleted: boolean
  /** Undefined when there is nothing of a session yet. */
  readonly recovery: Recovery | undefined
  readonly journal: JournalFound
  /** The writer before did not end in order, so that it may have left blobs over. */
  readonly isCutOff?: true
  /** Names the process that the session was taken from; empty if it was free. */
  readonly findings: readonly RecoveryFinding[]
}

/**
 * What becomes of the journal that a claim finds, if there is one. `stands`: it is in order and other writers cannot write
 * to it, so it may stay until there is something to write. `goes`: another takes its place before the claim is told. `goes
 * aside`: the same, and a copy is kept because not all of it is taken over.
 */
export type JournalFound = 'stands' | 'goes' | 'goes aside'

/**
 * Takes a session for one writer. The lock comes first and the reading second: the writer that held the session before
 * can then acknowledge nothing more that this reading would miss.
 */
export function claimFiles(
  disk: Disk,
  layout: Layout,
  id: string,
  { owner, expect, takeover = false }: ClaimOptions,
  processes: ProcessTable,
): Claimed {
  for (let newest = newestOf(disk, layout, id); ;) {
    const holder = newest.lock
    requireExpected(disk, layout, id, expect, holder)
    const isFree = !isHeld(holder, processes)
    if (!isFree && !takeover) throw busy(id, holder, processes)
    const content: LockContent = { state: 'held', id, owner, process: processes.self }
    const lock = takeLock(disk, layout, newest.epoch + 1, content)
    if (lock === undefined) {
      newest = newestOf(disk, layout, id)
      continue
    }
    // What it leaves behind when it goes on is not known.
    if (!isFree) lock.noteStray()
    const findings = !isFree && typeof holder === 'object' ? [takenOver(holder, processes)] : []
    const found = read(disk, layout, id, { lock, newest, expect })
    if ('replacesDeleted' in found) return { lock, ...found, findings }
    // The files know of other claims than was known before.
    lock.withdraw()
    newest = newestBeside(disk, layout, id, readSnapshot(disk, layout, id), found)
  }
}

/** The writer before this one: there was none, it ended in order, or it may have left files over or still write. */
type Before = 'nobody' | 'ended' | 'somebody'

/**
 * A writer that gave the session free without any failure left nothing to clear away. Nor can an earlier writer still
 * write to the journal that is there: that writer began it itself, or found that its own predecessor had ended.
 */
function beforeOf({ epoch, lock, isCleared }: Newest, snapshot: FoundSnapshot): Before {
  if (epoch === 0 || isCleared) return 'nobody'
  // Its lock went because the snapshot says all that it said.
  if (lock === undefined) return snapshot.kind === 'good' && snapshot.store.epoch === epoch ? 'ended' : 'somebody'
  return typeof lock === 'object' && lock.state === 'released' ? 'ended' : 'somebody'
}

type Read = Pick<Claimed, 'recovery' | 'journal' | 'replacesDeleted' | 'isCutOff'>

/** What the lock was taken for; or, where it is not the newest after all, the later epoch that there was. */
function read(
  disk: Disk,
  layout: Layout,
  id: string,
  { lock, newest, expect }: Pick<ClaimOptions, 'expect'> & { readonly lock: Lock; readonly newest: Newest },
): Read | Pick<Newest, 'told' | 'seen'> {
  try {
    const snapshot = readSnapshot(disk, layout, id)
    // A snapshot is made anew, over whatever else has its name. A folder is never replaced: it may hold files of the user.
    if (snapshot.kind === 'damaged' && disk.isFolder(layout.snapshot))
      throw new NotAFile(layout.snapshot, { what: 'a folder' })
    const { told = 0 } = newest
    const seen = newestWith(disk, layout, id, { epoch: lock.epoch, above: newest, snapshot })
    if (seen !== lock.epoch) return { seen }
    if (isDeleted(newest.lock)) return { recovery: undefined, journal: 'stands', replacesDeleted: !newest.isCleared }
    const before = beforeOf(newest, snapshot)
    if (before === 'nobody' && expect === 'new' && isBare(disk, layout))
      return { recovery: undefined, journal: 'stands', replacesDeleted: false }
    const saved = before === 'ended' ? recoverAsSaved(disk, layout, id, snapshot) : undefined
    if (saved !== undefined && isBetween(epochOf(saved), told, lock.epoch)) {
      if (snapshot.kind !== 'good' || snapshot.store.tidy !== true) lock.noteStray()
      return { recovery: saved, journal: 'stands', replacesDeleted: false }
    }
    // A lock that went without the snapshot saying all is one that a power cut or another program took.
    const isLost = newest.epoch > 0 && newest.lock === undefined && !newest.isCleared
    if (isLost) {
      const epoch = epochOf(recover(findFiles(disk, layout, id, snapshot)))
      if (!isBetween(epoch, told, lock.epoch)) return { told: epoch }
    }
    return readAll(disk, layout, id, { lock, told, before: isLost ? 'somebody' : before })
  } catch (error) {
    // The session cannot be written: leave it free for readers and for a salvage.
    lock.abandon()
    throw error
  }
}

function readAll(
  disk: Disk,
  layout: Layout,
  id: string,
  { lock, told, before }: { readonly lock: Lock; readonly told: number; readonly before: Before },
): Read | Pick<Newest, 'told' | 'seen'> {
  const left = before === 'somebody' ? removeLeftovers(disk, layout, id, lock.epoch) : undefined
  const snapshot = readSnapshot(disk, layout, id)
  const found = findFiles(disk, layout, id, snapshot)
  const recovery = recover(found)
  const epoch = epochOf(recovery)
  if (!isBetween(epoch, told, lock.epoch)) return { told: epoch }
  const isTidy = snapshot.kind === 'good' ? snapshot.store.tidy === true : recovery === undefined
  if (left === undefined ? !isTidy : left === 'strays') lock.noteStray()
  const journal = journalFound(found.journal, recovery, before)
  return { recovery, journal, replacesDeleted: false, ...(before === 'somebody' && { isCutOff: true }) }
}

/** Whether a lock of this epoch is later than all that the events tell, which is still what it was taken above. */
function isBetween(found: number, told: number, epoch: number): boolean {
  return told <= found && found < epoch
}

function journalFound(bytes: Uint8Array | undefined, recovery: Recovery | undefined, before: Before): JournalFound {
  if (recovery?.leavesDebris ?? isUsed(bytes)) return 'goes aside'
  const isNew = recovery === undefined && bytes === undefined
  return isNew && before !== 'somebody' ? 'stands' : 'goes'
}

/** The newest claim that the files know of. */
function epochOf(recovery: Recovery | undefined): number {
  const epochs = (recovery?.live ?? []).map((record) => record.epoch)
  // Sealed events have no epoch of their own, but every claim is an event.
  const claims = (recovery?.events ?? []).map((event) => ('epoch' in event ? event.epoch : 0))
  return [...epochs, ...claims].reduce((last, epoch) => Math.max(last, epoch), recovery?.state?.epoch ?? 0)
}

function requireExpected(
  disk: Disk,
  layout: Layout,
  id: string,
  expect: ClaimOptions['expect'],
  holder: LockContent | 'unreadable' | undefined,
): void {
  const isThere = expect === 'new' ? isBegun : hasEvents
  const there = !isDeleted(holder) && isThere(disk, layout, id)
  if (expect === 'new' && there) {
    throw new LoaderError('session_exists', `Session ${id} is already there. Load it, or choose another id.`)
  }
  if (expect === 'existing' && !there) throw notFound(id, layout.directory)
}

function busy(id: string, holder: LockContent | 'unreadable' | undefined, processes: ProcessTable): LoaderError {
  return new LoaderError(
    'session_busy',
    `Session ${id} is held by ${describeHeld(holder, processes)}. Close it there, go on in a copy of it (fork), or take ` +
      'it over.',
  )
}
