import type { Disk } from './disk.ts'
import { cannotLink } from './lock.ts'
import { temporaryName } from './new-file.ts'

/** Keeps what a file holds under a name that nothing reads, and returns that name. The file itself stays. */
export function keepAside(disk: Disk, path: string): string {
  const aside = temporaryName(path).replace(/\.tmp$/, '.aside')
  try {
    disk.fs.linkSync(path, aside)
  } catch (error) {
    if (!cannotLink(error)) throw error
    copy(disk, path, aside)
  }
  return aside
}

function copy(disk: Disk, from: string, to: string): void {
  const bytes = disk.read(from)
  const fd = disk.fs.openSync(to, 'wx', 0o600)
  try {
    disk.writeAll(fd, bytes, 0)
    disk.flushInline(fd)
  } finally {
    disk.fs.closeSync(fd)
  }
}
