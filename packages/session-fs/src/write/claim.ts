import { type ClaimOptions, LoaderError, type RecoveryFinding } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import { describeHeld, isDeleted, isHeld, type Lock, type LockContent, takeLock, takenOver } from '../disk/lock.ts'
import { isBare, type Newest, newestBeside, newestOf, newestWith } from '../disk/newest-lock.ts'
import type { ProcessTable } from '../disk/process-table.ts'
import { isUsed } from '../format/journal-content.ts'
import type { Layout } from '../format/layout.ts'
import { recoverAsSaved } from '../read/as-saved.ts'
import { hasEvents, isBegun, notFound } from '../read/presence.ts'
import { recover, type Recovery } from '../read/recover.ts'
import { findFiles, type FoundHead, readHead } from '../read/session-files.ts'
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
    newest = newestBeside(disk, layout, id, readHead(disk, layout, id), found)
  }
}

/** Who had the session before, as far as that matters for what may still happen to its files. */
type Before = 'nobody' | 'ended' | 'somebody'

/**
 * Who gave the session free, without anything having failed, left nothing that has to be cleared. Nor can anybody before
 * that writer still write to the journal that is there: it began that itself, or found that its predecessor had ended.
 */
function beforeOf({ epoch, lock, isCleared }: Newest, head: FoundHead): Before {
  if (epoch === 0 || isCleared) return 'nobody'
  // Its lock went because the head says all that it said.
  if (lock === undefined) return head.kind === 'good' && head.store.epoch === epoch ? 'ended' : 'somebody'
  return typeof lock === 'object' && lock.state === 'released' ? 'ended' : 'somebody'
}

type Read = Pick<Claimed, 'recovery' | 'journal' | 'replacesDeleted'>

/** What the lock was taken for; or, where it is not the newest after all, the later epoch that there was. */
function read(
  disk: Disk,
  layout: Layout,
  id: string,
  { lock, newest, expect }: Pick<ClaimOptions, 'expect'> & { readonly lock: Lock; readonly newest: Newest },
): Read | Pick<Newest, 'told' | 'seen'> {
  try {
    const head = readHead(disk, layout, id)
    const { told = 0 } = newest
    const seen = newestWith(disk, layout, id, { epoch: lock.epoch, above: newest, head })
    if (seen !== lock.epoch) return { seen }
    if (isDeleted(newest.lock)) return { recovery: undefined, journal: 'stands', replacesDeleted: !newest.isCleared }
    const before = beforeOf(newest, head)
    if (before === 'nobody' && expect === 'new' && isBare(disk, layout))
      return { recovery: undefined, journal: 'stands', replacesDeleted: false }
    const saved = before === 'ended' ? recoverAsSaved(disk, layout, id, head) : undefined
    if (saved !== undefined && isBetween(epochOf(saved), told, lock.epoch)) {
      if (head.kind !== 'good' || head.store.tidy !== true) lock.noteStray()
      return { recovery: saved, journal: 'stands', replacesDeleted: false }
    }
    // A lock that went without the head saying all is one that a power cut or another program took.
    const isLost = newest.epoch > 0 && newest.lock === undefined && !newest.isCleared
    if (isLost) {
      const epoch = epochOf(recover(findFiles(disk, layout, id, head)))
      if (!isBetween(epoch, told, lock.epoch)) return { told: epoch }
    }
    return readAll(disk, layout, id, { lock, told, before: isLost ? 'somebody' : before })
  } catch (error) {
    // Nothing can be written to it: leave it free for whoever reads or salvages.
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
  const head = readHead(disk, layout, id)
  const found = findFiles(disk, layout, id, head)
  const recovery = recover(found)
  const epoch = epochOf(recovery)
  if (!isBetween(epoch, told, lock.epoch)) return { told: epoch }
  const isTidy = head.kind === 'good' ? head.store.tidy === true : recovery === undefined
  if (left === undefined ? !isTidy : left === 'strays') lock.noteStray()
  return { recovery, journal: journalFound(found.journal, recovery, before), replacesDeleted: false }
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
