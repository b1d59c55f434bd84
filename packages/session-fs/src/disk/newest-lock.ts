import { epochTail, type SnapshotContent, snapshotHint, type SnapshotHint } from '../format/snapshot.ts'
import { type Layout, lockNumbers } from '../format/layout.ts'
import type { Disk } from './disk.ts'
import { type LockContent, readLock } from './lock.ts'

/** The newest lock of a session or, where it has no lock, the last epoch that was given. */
export interface Newest {
  readonly epoch: number
  readonly lock: LockContent | 'unreadable' | undefined
  /** Whether there is nothing left but the mark of a deleted session. */
  readonly isCleared: boolean
  /** Whether it is what an older version left of a session that it had deleted, before this one was begun. */
  readonly isOfAnotherLife?: boolean
  /** The last epoch that the events tell of, where one had to ask them. */
  readonly told?: number
  /** A lock that stands above a gap, as an older version or another program leaves it. */
  readonly seen?: number
}

/**
 * Finds it without reading the folder.
 *
 * Every lock above the epoch that the snapshot names stands without a gap; without a snapshot, every lock above the one that lock
 * 0 names; without that, every lock. So one looks for the next name until there is none. Only where the snapshot is damaged,
 * gone, or of an older version, the folder has to tell.
 */
export function newestOf(disk: Disk, layout: Layout, id: string): Newest {
  const hint = snapshotHint(disk.readCacheTail(layout.snapshot, epochTail))
  return newestAbove(disk, layout, floorBy(disk, layout, id, hint), hint?.isCurrent)
}

/** The same, where it is known that it is not below this one. */
function newestAbove(disk: Disk, layout: Layout, floor: number, hasCurrentSnapshot = false): Newest {
  let epoch = floor
  while (disk.exists(layout.lock(epoch + 1))) epoch += 1
  const lock = epoch === 0 ? undefined : readLock(disk, layout.lock(epoch))
  if (typeof lock === 'object' && isOfAnotherLife(lock, hasCurrentSnapshot))
    return { epoch, lock: undefined, isCleared: false, isOfAnotherLife: true }
  if (lock !== undefined || hasCurrentSnapshot) return { epoch, lock, isCleared: false }
  const mark = markOf(disk, layout)
  return mark?.epoch === epoch ? { epoch, lock: mark, isCleared: true } : { epoch, lock, isCleared: false }
}

/**
 * The newest lock, now that the one that was just taken is there: that one, or its epoch was given before. The epochs
 * below it may have been read long before: meanwhile another process may have taken a lock of this number and removed
 * it again, and the snapshot says so; or the session was deleted, and begins anew below it.
 */
export function newestWith(disk: Disk, layout: Layout, id: string, { epoch, above, snapshot }: Taken): number {
  const named = snapshot.kind === 'good' ? snapshot.store.epoch : (markOf(disk, layout)?.epoch ?? 0)
  if (named >= epoch) return named
  const floor = Math.max(groundOf(disk, layout, above), floorOf(disk, layout, id, snapshot, epoch))
  const newest = newestAbove(disk, layout, floor, isCurrent(snapshot))
  if (newest.epoch !== epoch + 1 || newest.isOfAnotherLife !== true) return newest.epoch
  // No other process can remove it, nor take the lock that bears its name.
  disk.removeIfThere(layout.lock(newest.epoch))
  return epoch
}

export interface Taken {
  readonly epoch: number
  /** The epochs that it was taken above. Where events told them, a caller that needs the lock reads those again. */
  readonly above: Ground
  readonly snapshot: KnownSnapshot
}

type Ground = Pick<Newest, 'told' | 'seen'>

/** Where to go on when a lock was not the newest. */
export function newestBeside(disk: Disk, layout: Layout, id: string, snapshot: KnownSnapshot, ground: Ground): Newest {
  const floor = Math.max(groundOf(disk, layout, ground), floorOf(disk, layout, id, snapshot))
  return { ...newestAbove(disk, layout, floor, isCurrent(snapshot)), ...ground }
}

function groundOf(disk: Disk, layout: Layout, { told = 0, seen = 0 }: Ground): number {
  return Math.max(told, seen > 0 && disk.exists(layout.lock(seen)) ? seen : 0)
}

type KnownSnapshot = SnapshotContent | { readonly kind: 'missing' }

/** Whether the lock of this epoch is found also when there is no snapshot. */
export function isFoundWithoutSnapshot(disk: Disk, layout: Layout, epoch: number): boolean {
  return newestAbove(disk, layout, markOf(disk, layout)?.epoch ?? 0).epoch === epoch
}

/** An epoch that was given, and above which the locks stand without a gap; the lock that was just taken proves nothing. */
function floorOf(disk: Disk, layout: Layout, id: string, snapshot: KnownSnapshot, taken?: number): number {
  const hint = snapshot.kind === 'good' ? { ...snapshot.store, isCurrent: isCurrent(snapshot) } : undefined
  return floorBy(disk, layout, id, hint, taken)
}

function isCurrent(snapshot: KnownSnapshot): boolean {
  return snapshot.kind === 'good' && snapshot.store.tidy !== undefined
}

function floorBy(disk: Disk, layout: Layout, id: string, hint: SnapshotHint | undefined, taken?: number): number {
  // The locks of older versions may have gaps above a snapshot, which then names one that is there.
  if (hint !== undefined && (hint.isCurrent || disk.exists(layout.lock(hint.epoch)))) return hint.epoch
  const given = Math.max(hint?.epoch ?? 0, markOf(disk, layout)?.epoch ?? 0)
  const listed = isBare(disk, layout) ? [] : lockNumbers(disk.fs.readdirSync(layout.directory), id)
  return Math.max(given, listed.findLast((epoch) => epoch !== taken) ?? 0)
}

/** Whether there is not even a file of a session under the names that each has from the beginning. */
export function isBare(disk: Disk, layout: Layout): boolean {
  return ![layout.snapshot, layout.journal, layout.segment(1)].some((path) => disk.exists(path))
}

/** What stays of a session that was deleted, if it was and nothing came after it. */
function markOf(disk: Disk, layout: Layout): LockContent | undefined {
  const mark = readLock(disk, layout.lock(0))
  return typeof mark === 'object' && mark.state === 'deleted' ? mark : undefined
}

/** Older versions left this lock of a deleted session, where a process that begins another session does not find it. */
function isOfAnotherLife({ state, epoch }: LockContent, hasCurrentSnapshot: boolean): boolean {
  return hasCurrentSnapshot && state === 'deleted' && epoch === undefined
}
