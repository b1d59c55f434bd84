import { join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import type { ProcessTable } from '../disk/process-table.ts'
import type { Layout } from '../format/layout.ts'
import { isBlobName } from '../read/named-blobs.ts'
import { listedNumbers } from '../read/session-files.ts'
import { unnamedBlob } from './verify-folder.ts'
import { verifyFiles } from './verify.ts'

/**
 * Removes blobs that nothing names. A writer stores a blob before the event that names it, so that one which dies in
 * between leaves it behind. Called with the lock of the session, after an end that was not in order.
 *
 * Only a session of which every byte is as it was written is swept: in what is damaged, a name may have stood.
 */
export function sweepBlobs(disk: Disk, layout: Layout, id: string, processes: ProcessTable): void {
  if (!hasUnnamed(disk, layout, id)) return
  const { intact, findings } = verifyFiles(disk, layout, id, processes)
  if (!intact) return
  for (const { what, file } of findings) {
    if (what === unnamedBlob) disk.removeIfThere(join(layout.directory, file))
  }
}

/** Looks where names are most likely to be found first, and no further than it has to. */
function hasUnnamed(disk: Disk, layout: Layout, id: string): boolean {
  if (!disk.exists(layout.blobs)) return false
  let names = disk.fs.readdirSync(layout.blobs).filter(isBlobName)
  const without = (path: string) => {
    const text = Buffer.from(disk.readIfThere(path) ?? []).toString('latin1')
    names = names.filter((name) => !text.includes(name))
  }
  if (names.length > 0) without(layout.journal)
  if (names.length > 0) without(layout.snapshot)
  for (const number of listedNumbers(disk, layout, id).toReversed()) {
    if (names.length === 0) return false
    without(layout.segment(number))
  }
  return names.length > 0
}
