import { epochTail, type HeadContent, headHint, type HeadHint } from '../format/head.ts'
import { type Layout, lockNumbers } from '../format/layout.ts'
import type { Disk } from './disk.ts'
import { type LockContent, readLock } from './lock.ts'

/** The newest lock of a session, or, where nobody holds it, the last epoch that was given. */
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
 * Every lock above the epoch that the head names stands without a gap; without a head, every lock above the one that lock
 * 0 names; without that, every lock. So one looks for the next name until there is none. Only where the head is damaged,
 * gone, or of an older version, the folder has to tell.
 */
export function newestOf(disk: Disk, layout: Layout, id: string): Newest {
  const hint = headHint(disk.readCacheTail(layout.head, epochTail))
  return newestAbove(disk, layout, floorBy(disk, layout, id, hint), hint?.isCurrent)
}

/** The same, where it is known that it is not below this one. */
function newestAbove(disk: Disk, layout: Layout, floor: number, hasCurrentHead = false): Newest {
  let epoch = floor
  while (disk.exists(layout.lock(epoch + 1))) epoch += 1
  const lock = epoch === 0 ? undefined : readLock(disk, layout.lock(epoch))
  if (typeof lock === 'object' && isOfAnotherLife(lock, hasCurrentHead))
    return { epoch, lock: undefined, isCleared: false, isOfAnotherLife: true }
  if (lock !== undefined || hasCurrentHead) return { epoch, lock, isCleared: false }
  const mark = markOf(disk, layout)
  return mark?.epoch === epoch ? { epoch, lock: mark, isCleared: true } : { epoch, lock, isCleared: false }
}

/**
 * The newest lock, now that the one that was just taken is there: that one, or its epoch was given before. What it was taken above may have been read long
 * before: meanwhile its number may have been given to somebody else, who removed it again, and the head says so; or the
 * session was deleted, and begins anew below it.
 */
export function newestWith(disk: Disk, layout: Layout, id: string, { epoch, above, head }: Taken): number {
  const named = head.kind === 'good' ? head.store.epoch : (markOf(disk, layout)?.epoch ?? 0)
  if (named >= epoch) return named
  const floor = Math.max(groundOf(disk, layout, above), floorOf(disk, layout, id, head, epoch))
  const newest = newestAbove(disk, layout, floor, isCurrent(head))
  if (newest.epoch !== epoch + 1 || newest.isOfAnotherLife !== true) return newest.epoch
  // Nobody else can remove it, nor take the lock that bears its name.
  disk.removeIfThere(layout.lock(newest.epoch))
  return epoch
}

export interface Taken {
  readonly epoch: number
  /** What it was taken above. Where events told so, whoever relies on it has to ask them again. */
  readonly above: Ground
  readonly head: KnownHead
}

type Ground = Pick<Newest, 'told' | 'seen'>

/** Where to go on when a lock was not the newest. */
export function newestBeside(disk: Disk, layout: Layout, id: string, head: KnownHead, ground: Ground): Newest {
  const floor = Math.max(groundOf(disk, layout, ground), floorOf(disk, layout, id, head))
  return { ...newestAbove(disk, layout, floor, isCurrent(head)), ...ground }
}

function groundOf(disk: Disk, layout: Layout, { told = 0, seen = 0 }: Ground): number {
  return Math.max(told, seen > 0 && disk.exists(layout.lock(seen)) ? seen : 0)
}

type KnownHead = HeadContent | { readonly kind: 'missing' }

/** Whether the lock of this epoch is found also when there is no head. */
export function isFoundWithoutHead(disk: Disk, layout: Layout, epoch: number): boolean {
  return newestAbove(disk, layout, markOf(disk, layout)?.epoch ?? 0).epoch === epoch
}

/** An epoch that was given, and above which the locks stand without a gap; the lock that was just taken proves nothing. */
function floorOf(disk: Disk, layout: Layout, id: string, head: KnownHead, taken?: number): number {
  const hint = head.kind === 'good' ? { ...head.store, isCurrent: isCurrent(head) } : undefined
  return floorBy(disk, layout, id, hint, taken)
}

function isCurrent(head: KnownHead): boolean {
  return head.kind === 'good' && head.store.tidy !== undefined
}

function floorBy(disk: Disk, layout: Layout, id: string, hint: HeadHint | undefined, taken?: number): number {
  // The locks of older versions may have gaps above a head, which then names one that is there.
  if (hint !== undefined && (hint.isCurrent || disk.exists(layout.lock(hint.epoch)))) return hint.epoch
  const given = Math.max(hint?.epoch ?? 0, markOf(disk, layout)?.epoch ?? 0)
  const listed = isBare(disk, layout) ? [] : lockNumbers(disk.fs.readdirSync(layout.directory), id)
  return Math.max(given, listed.findLast((epoch) => epoch !== taken) ?? 0)
}

/** Whether there is not even a file of a session under the names that each has from the beginning. */
export function isBare(disk: Disk, layout: Layout): boolean {
  return ![layout.head, layout.journal, layout.segment(1)].some((path) => disk.exists(path))
}

/** What stays of a session that was deleted, if it was and nothing came after it. */
function markOf(disk: Disk, layout: Layout): LockContent | undefined {
  const mark = readLock(disk, layout.lock(0))
  return typeof mark === 'object' && mark.state === 'deleted' ? mark : undefined
}

/** Older versions left this of a session that they had deleted, where nobody finds it who begins another one. */
function isOfAnotherLife({ state, epoch }: LockContent, hasCurrentHead: boolean): boolean {
  return hasCurrentHead && state === 'deleted' && epoch === undefined
}
