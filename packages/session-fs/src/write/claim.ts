import { type ClaimOptions, LoaderError, type RecoveryFinding } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import {
  describeHeld,
  isDeleted,
  isHeld,
  type Lock,
  type LockContent,
  readLock,
  takeLock,
  takenOver,
} from '../disk/lock.ts'
import { newestEpoch, newestLock } from '../disk/newest-lock.ts'
import type { ProcessTable } from '../disk/process-table.ts'
import { isUsed } from '../format/journal-content.ts'
import type { Layout } from '../format/layout.ts'
import { recoverAsSaved } from '../read/as-saved.ts'
import { hasEvents, notFound } from '../read/presence.ts'
import { recover, type Recovery } from '../read/recover.ts'
import { findFiles, readHead } from '../read/session-files.ts'
import { removeLeftovers } from './leftovers.ts'

export interface Claimed {
  readonly lock: Lock
  /** A deleted session stood here: what is left of it has to go before anything else is done. */
  readonly replacesDeleted: boolean
  /** Undefined when there is nothing of a session yet. */
  readonly recovery: Recovery | undefined
  readonly journal: JournalFound
  /** From whom it was taken, if from anybody. */
  readonly findings: readonly RecoveryFinding[]
}

/**
 * What becomes of the journal that a claim finds, if there is one. `stands`: it is in order and nobody else can write to
 * it, so it may stay until there is something to write. `goes`: another takes its place before the claim is told. `goes
 * aside`: the same, and a copy is kept because not all of it is taken over.
 */
export type JournalFound = 'stands' | 'goes' | 'goes aside'

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
    const isFree = !isHeld(holder, processes)
    if (!isFree && !takeover) throw busy(id, holder, processes)
    const content: LockContent = { state: 'held', id, owner, process: processes.self }
    const lock = takeLock(disk, layout, newest + 1, content)
    if (lock === undefined) continue
    const findings = !isFree && typeof holder === 'object' ? [takenOver(holder, processes)] : []
    if (isDeleted(holder)) return { lock, recovery: undefined, replacesDeleted: true, journal: 'stands', findings }
    const found = read(disk, layout, id, lock, beforeOf(newest, holder))
    if (found.epoch < lock.epoch) return { lock, ...found, replacesDeleted: false, findings }
    // The records know of later claims than the locks do.
    disk.removeIfThere(layout.lock(lock.epoch))
    floor = found.epoch
  }
}

/** Who had the session before, as far as that matters for what may still happen to its files. */
type Before = 'nobody' | 'ended' | 'somebody'

/**
 * Who gave the session free, without anything having failed, left nothing that has to be cleared. Nor can anybody before
 * that writer still write to the journal that is there: it began that itself, or found that its predecessor had ended.
 */
function beforeOf(newest: number, holder: LockContent | 'unreadable' | undefined): Before {
  if (newest === 0) return 'nobody'
  return typeof holder === 'object' && holder.state === 'released' ? 'ended' : 'somebody'
}

type Read = Pick<Claimed, 'recovery' | 'journal'> & { readonly epoch: number }

function read(disk: Disk, layout: Layout, id: string, lock: Lock, before: Before): Read {
  try {
    if (before === 'somebody') removeLeftovers(disk, layout, id, lock.epoch)
    const head = readHead(disk, layout, id)
    const saved = before === 'ended' ? recoverAsSaved(disk, layout, id, head) : undefined
    if (saved !== undefined) return { recovery: saved, journal: 'stands', epoch: epochOf(saved) }
    const found = findFiles(disk, layout, id, head)
    const recovery = recover(found)
    return { recovery, journal: journalFound(found.journal, recovery, before), epoch: epochOf(recovery) }
  } catch (error) {
    // Nothing can be written to it: leave it free for whoever reads or salvages.
    lock.abandon()
    throw error
  }
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
  const there = !isDeleted(holder) && hasEvents(disk, layout, id)
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
