import { epochHint, epochTail } from '../format/head.ts'
import { type Layout, lockNumbers } from '../format/layout.ts'
import type { Disk } from './disk.ts'

/** Where to begin to look for the newest lock. A head may be old or damaged, so what it names has to be there. */
export function newestEpoch(disk: Disk, layout: Layout, id: string): number {
  const hint = epochHint(disk.readCacheTail(layout.head, epochTail))
  if (hint > 0 && disk.exists(layout.lock(hint))) return hint
  const listed = disk.exists(layout.directory) ? lockNumbers(disk.fs.readdirSync(layout.directory), id) : []
  return listed.at(-1) ?? hint
}

export function newestLockOf(disk: Disk, layout: Layout, id: string): number {
  return newestLock(disk, layout, newestEpoch(disk, layout, id))
}

/** Locks of later epochs stand without a gap above the newest one that the session itself knows of. */
export function newestLock(disk: Disk, layout: Layout, floor: number): number {
  let newest = floor
  while (disk.exists(layout.lock(newest + 1))) newest += 1
  return newest
}
