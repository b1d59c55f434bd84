import { LoaderError } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import { isCutOff, isUsed } from '../format/journal-content.ts'
import type { Layout } from '../format/layout.ts'
import { tellsOfEvents } from './recover.ts'
import { Seeds } from './seeds.ts'
import { listedNumbers } from './session-files.ts'

export function notFound(id: string, directory: string): LoaderError {
  return new LoaderError(
    'session_not_found',
    `There is no session ${id} in ${directory}. List the sessions to see which there are.`,
  )
}

/** Whether anything of a session is there: a first write that did not finish is nothing yet. */
export function hasEvents(disk: Disk, layout: Layout, id: string): boolean {
  return isBegun(disk, layout, id) || listedNumbers(disk, layout, id).length > 0
}

/** The same, without reading the folder: later segments of a session that has lost all else do not show. */
export function isBegun(disk: Disk, layout: Layout, id: string): boolean {
  if (disk.exists(layout.snapshot) || disk.exists(layout.segment(1))) return true
  const journal = disk.readIfThere(layout.journal)
  // No journal is made that short: this one held events before it was cut off.
  if (journal !== undefined && isCutOff(journal)) return true
  return isUsed(journal) && tellsOfEvents(new Seeds(id, undefined).read(journal))
}
