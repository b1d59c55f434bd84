import { join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { codeOf } from '../disk/file-errors.ts'
import type { Layout } from '../format/layout.ts'

/**
 * Removes what earlier writers of a session made and did not put in place, once the lock of this epoch is there.
 *
 * This is half of the fence. Whoever puts a file in place makes it under a temporary name first, asks whether the
 * session is still theirs second, and gives it its name third. A writer that is displaced between the second and the
 * third finds nothing to give a name to, however much later it wakes up.
 */
export function removeLeftovers(disk: Disk, layout: Layout, id: string, epoch: number): void {
  const key = `${id.toLowerCase()}.`
  const lock = new RegExp(`^${key.replace('.', '\\.')}lock\\.(\\d+)\\.`)
  for (const name of disk.fs.readdirSync(layout.directory)) {
    if (!name.startsWith(key) || !name.endsWith('.tmp')) continue
    // Locks of later epochs belong to those who want the session now.
    if (Number(lock.exec(name)?.[1] ?? 0) > epoch) continue
    disk.removeIfThere(join(layout.directory, name))
  }
  for (const name of namesIn(disk, layout.blobs)) {
    if (name.endsWith('.tmp')) disk.removeIfThere(join(layout.blobs, name))
  }
}

function namesIn(disk: Disk, directory: string): string[] {
  try {
    return disk.fs.readdirSync(directory)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}
