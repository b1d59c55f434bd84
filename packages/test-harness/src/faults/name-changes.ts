import { type DiskImage, type Inode, partsOf } from './disk-image.ts'
import type { RecordedChange } from './recording.ts'
import { type FailedCall, systemError } from './system-error.ts'

/** Computes what a call on names changes on this disk, or the error of Linux. Makes no changes. */

/** The inode at a path. */
export function find(disk: DiskImage, path: string, call: FailedCall): Inode {
  return follow(disk, partsOf(path), call)
}

export function findOrNone(disk: DiskImage, path: string, call: FailedCall): Inode | undefined {
  const place = placeOf(disk, path, call)
  return place === root ? disk.root : entryAt(disk, place)
}

export function creation(disk: DiskImage, path: string, inode: Inode, call: FailedCall): RecordedChange[] {
  const place = placeOf(disk, path, call)
  if (place === root || entryAt(disk, place)) throw systemError('EEXIST', call)
  return [entry(place, inode)]
}

export function makingDirectories(
  disk: DiskImage,
  path: string,
  call: FailedCall,
): { made: string[]; changes: RecordedChange[] } {
  const made: string[] = []
  const changes: RecordedChange[] = []
  const parts = partsOf(path)
  let here: Inode = disk.root
  for (const [index, name] of parts.entries()) {
    const next: Inode | undefined = changes.length > 0 ? undefined : disk.entriesOf(here).get(name)
    if (next?.kind === 'file') throw systemError(index === parts.length - 1 ? 'EEXIST' : 'ENOTDIR', call)
    if (next === undefined) {
      const inode: Inode = { kind: 'directory' }
      made.push(`/${parts.slice(0, index + 1).join('/')}`)
      changes.push({ kind: 'entries', inode: here, entries: [[name, inode]] })
      here = inode
    } else {
      here = next
    }
  }
  return { made, changes }
}

export function renaming(disk: DiskImage, from: string, to: string): RecordedChange[] {
  const call = { syscall: 'rename', path: from, dest: to }
  const source = placeOf(disk, from, call)
  const target = placeOf(disk, to, call)
  if (source === root || target === root) throw systemError('EBUSY', call)
  const moved = entryAt(disk, source)
  if (!moved) throw systemError('ENOENT', call)
  if (isInside(from, to)) throw systemError('EINVAL', call)
  if (isInside(to, from)) throw systemError('ENOTEMPTY', call)
  const replaced = entryAt(disk, target)
  if (replaced === moved) return []
  if (replaced) requireReplaceable(disk, moved, replaced, call)
  if (source.directory === target.directory) {
    return [
      {
        kind: 'entries',
        inode: source.directory,
        entries: [
          [source.name, null],
          [target.name, moved],
        ],
      },
    ]
  }
  const added = entry(target, moved)
  return [added, { ...entry(source, null), after: added }]
}

export function linking(disk: DiskImage, existing: string, path: string): RecordedChange[] {
  const call = { syscall: 'link', path: existing, dest: path }
  const inode = find(disk, existing, call)
  const changes = creation(disk, path, inode, call)
  if (inode.kind === 'directory') throw systemError('EPERM', call)
  return changes
}

export function unlinking(disk: DiskImage, path: string): RecordedChange[] {
  const call = { syscall: 'unlink', path }
  const place = placeOf(disk, path, call)
  if (place === root) throw systemError('EISDIR', call)
  const inode = entryAt(disk, place)
  if (!inode) throw systemError('ENOENT', call)
  if (inode.kind === 'directory') throw systemError('EISDIR', call)
  return [entry(place, null)]
}

export function removingDirectory(disk: DiskImage, path: string): RecordedChange[] {
  const call = { syscall: 'rmdir', path }
  const place = placeOf(disk, path, call)
  if (place === root) throw systemError('EBUSY', call)
  const inode = entryAt(disk, place)
  if (!inode) throw systemError('ENOENT', call)
  if (inode.kind === 'file') throw systemError('ENOTDIR', call)
  if (disk.entriesOf(inode).size > 0) throw systemError('ENOTEMPTY', call)
  return [entry(place, null)]
}

/** An entry that exists or may be created. */
interface Place {
  readonly directory: Inode
  readonly name: string
}

const root = 'root'

function placeOf(disk: DiskImage, path: string, call: FailedCall): Place | typeof root {
  const parts = partsOf(path)
  const name = parts.at(-1)
  if (name === undefined) return root
  const directory = follow(disk, parts.slice(0, -1), call)
  if (directory.kind === 'file') throw systemError('ENOTDIR', call)
  return { directory, name }
}

function follow(disk: DiskImage, parts: readonly string[], call: FailedCall): Inode {
  let here = disk.root
  for (const part of parts) {
    if (here.kind === 'file') throw systemError('ENOTDIR', call)
    const next = disk.entriesOf(here).get(part)
    if (!next) throw systemError('ENOENT', call)
    here = next
  }
  return here
}

function entryAt(disk: DiskImage, { directory, name }: Place): Inode | undefined {
  return disk.entriesOf(directory).get(name)
}

function entry({ directory, name }: Place, inode: Inode | null): RecordedChange & { kind: 'entries' } {
  return { kind: 'entries', inode: directory, entries: [[name, inode]] }
}

function isInside(outer: string, inner: string): boolean {
  const outerParts = partsOf(outer)
  const innerParts = partsOf(inner)
  return innerParts.length > outerParts.length && outerParts.every((part, index) => part === innerParts[index])
}

function requireReplaceable(disk: DiskImage, moved: Inode, replaced: Inode, call: FailedCall): void {
  if (moved.kind === 'file' && replaced.kind === 'directory') throw systemError('EISDIR', call)
  if (moved.kind === 'directory' && replaced.kind === 'file') throw systemError('ENOTDIR', call)
  if (replaced.kind === 'directory' && disk.entriesOf(replaced).size > 0) throw systemError('ENOTEMPTY', call)
}
