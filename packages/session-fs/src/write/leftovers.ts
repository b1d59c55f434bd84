import { join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { codeOf } from '../disk/file-errors.ts'
import type { Layout } from '../format/layout.ts'

/**
 * Removes what earlier writers of a session made and did not put in place, once the lock of this epoch is there.
 *
 * This is half of the fence. A writer puts a file in place in three steps: it makes the file under a temporary name,
 * asks whether the session is still its own, and gives the file its name. A writer that is displaced between the second
 * step and the third finds no file to give a name to, however much later it wakes up.
 *
 * Gives whether anything else lies there under a name that only the folder tells.
 */
export function removeLeftovers(disk: Disk, layout: Layout, id: string, epoch: number): 'tidy' | 'strays' {
  const key = `${id.toLowerCase()}.`
  const lock = new RegExp(`^${key.replace('.', '\\.')}lock\\.(\\d+)\\.`)
  const names = disk.fs.readdirSync(layout.directory).filter((name) => name.startsWith(key))
  for (const name of names) {
    if (!name.endsWith('.tmp')) continue
    // Locks of later epochs belong to processes that are claiming the session now.
    if (Number(lock.exec(name)?.[1] ?? 0) > epoch) continue
    disk.removeIfThere(join(layout.directory, name))
  }
  for (const name of namesIn(disk, layout.blobs)) {
    if (name.endsWith('.tmp')) disk.removeIfThere(join(layout.blobs, name))
  }
  return names.some((name) => name.endsWith('.aside')) ? 'strays' : 'tidy'
}

function namesIn(disk: Disk, directory: string): string[] {
  try {
    return disk.fs.readdirSync(directory)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}
