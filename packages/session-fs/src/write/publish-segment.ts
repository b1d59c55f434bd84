import { LoaderError } from '@loader/session-core'
import { keepAside } from '../disk/aside.ts'
import type { Disk } from '../disk/disk.ts'
import { codeOf } from '../disk/file-errors.ts'
import { cannotLink, type Lock } from '../disk/lock.ts'
import { putInPlace, writeTemporary } from '../disk/new-file.ts'
import type { Layout } from '../format/layout.ts'
import { encodeSegment, isSegmentOf, parseSegment, type Segment, type SegmentPlace } from '../format/segment.ts'

/**
 * Seals events into the segment at this place, durably, and returns what stands there now: all of them, or the first
 * ones, which a writer sealed that was displaced meanwhile.
 *
 * Invariants:
 * 1. An intact segment of the session is never replaced. The first one under a number stands.
 * 2. What else is under the name is replaced in one step, and kept aside.
 */
export async function publishSegment(
  disk: Disk,
  layout: Layout,
  lock: Lock,
  { place, events }: { readonly place: SegmentPlace; readonly events: readonly string[] },
): Promise<Pick<Segment, 'lastSeq' | 'sum' | 'events'>> {
  const { bytes, sum } = encodeSegment(place, events)
  const path = layout.segment(place.number)
  const temporary = await writeTemporary(disk, path, bytes)
  try {
    disk.fs.closeSync(temporary.fd)
    lock.requireOwnership()
    if (!linkNew(disk, lock, temporary.path, path)) {
      const there = intactAt(disk, path, place)
      if (there !== undefined) return await adopted(disk, layout, lock, there, events)
      keepAside(disk, path)
      lock.noteStray()
      await disk.flushDirectory(layout.directory)
      await putInPlace(disk, temporary.path, path, () => lock.requireOwnership())
    }
  } finally {
    disk.removeIfThere(temporary.path)
  }
  await disk.flushDirectory(layout.directory)
  return { lastSeq: place.lastSeq, sum, events }
}

/** False when the name is taken. Without hard links the file is moved there, if nothing is in its way. */
function linkNew(disk: Disk, lock: Lock, from: string, to: string): boolean {
  try {
    disk.fs.linkSync(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    // A writer that takes over removes files that others have not put in place yet.
    if (codeOf(error) === 'ENOENT') lock.requireOwnership()
    if (!cannotLink(error)) throw error
  }
  if (disk.exists(to)) return false
  disk.fs.renameSync(from, to)
  return true
}

function intactAt(disk: Disk, path: string, place: SegmentPlace): Segment | undefined {
  const bytes = disk.readIfThere(path)
  const segment = bytes === undefined ? undefined : parseSegment(bytes)
  return segment !== undefined && isSegmentOf(segment, place.id, place.number) ? segment : undefined
}

async function adopted(
  disk: Disk,
  layout: Layout,
  lock: Lock,
  there: Segment,
  events: readonly string[],
): Promise<Segment> {
  if (there.events.every((event, index) => event === events[index])) {
    await disk.flushDirectory(layout.directory)
    return there
  }
  lock.requireOwnership()
  throw new LoaderError(
    'session_damaged',
    `Segment ${there.number} of session ${there.id} holds other events than this writer sealed (${there.firstSeq} to ` +
      `${there.lastSeq}): another program put a different version of it there. Nothing was replaced. Salvage a copy to go on.`,
  )
}
