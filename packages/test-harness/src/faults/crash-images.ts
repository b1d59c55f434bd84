import type { Fate } from './choices.ts'
import type { DiskImage, Entries, Inode } from './disk-image.ts'
import type { PagedBytes } from './paged-bytes.ts'
import type { PendingChange } from './pending-changes.ts'
import { changedBytes, changedEntries } from './disk-overlay.ts'
import type { RecordedChange } from './recording.ts'
import { tornBytes } from './tears.ts'

/**
 * An inode after its pending changes, by their fates. While its base is the same, pending changes are only appended, so
 * equal fates mean equal content.
 */
interface Known<Content> {
  readonly before: Content
  readonly byFates: Map<string, Content>
}

/**
 * Makes disks from choices. Most choices differ in one file: the others are computed once, and only when they are read.
 */
export class CrashImages {
  readonly #files = new Map<Inode, Known<PagedBytes>>()
  readonly #directories = new Map<Inode, Known<Entries>>()

  /** The disk after a crash at one point, by the fate of each pending change. */
  at(settled: DiskImage, pending: readonly PendingChange[]): (fates: readonly Fate[]) => DiskImage {
    const places = new Map<Inode, number[]>()
    for (const [index, { change }] of pending.entries()) {
      const known = places.get(change.inode)
      if (known) known.push(index)
      else places.set(change.inode, [index])
    }
    const changesOf = (indexes: readonly number[]) => indexes.map((index) => (pending[index] as PendingChange).change)
    return (fates) => {
      const fatesOf = (indexes: readonly number[]) => indexes.map((index) => fates[index] as Fate)
      return {
        root: settled.root,
        bytesOf: (inode) => {
          const indexes = places.get(inode)
          const before = settled.bytesOf(inode)
          return indexes ? after(this.#files, inode, before, changesOf(indexes), fatesOf(indexes), changedFile) : before
        },
        entriesOf: (inode) => {
          const indexes = places.get(inode)
          const before = settled.entriesOf(inode)
          if (!indexes) return before
          return after(this.#directories, inode, before, changesOf(indexes), fatesOf(indexes), changedEntries)
        },
      }
    }
  }
}

function after<Content>(
  all: Map<Inode, Known<Content>>,
  inode: Inode,
  before: Content,
  changes: readonly RecordedChange[],
  fates: readonly Fate[],
  changed: (content: Content, change: RecordedChange, fate: Exclude<Fate, 'undone'>) => Content,
): Content {
  const { byFates } = knownFrom(all, inode, before)
  const key = choiceKey(fates)
  const known = byFates.get(key)
  if (known !== undefined) return known
  const content = changes.reduce((content, change, index) => {
    const fate = fates[index] as Fate
    return fate === 'undone' ? content : changed(content, change, fate)
  }, before)
  byFates.set(key, content)
  return content
}

function knownFrom<Content>(all: Map<Inode, Known<Content>>, inode: Inode, before: Content): Known<Content> {
  const known = all.get(inode)
  if (known?.before === before) return known
  const fresh: Known<Content> = { before, byFates: new Map() }
  all.set(inode, fresh)
  return fresh
}

function changedFile(bytes: PagedBytes, change: RecordedChange, fate: Exclude<Fate, 'undone'>): PagedBytes {
  if (change.kind === 'write' && fate !== 'kept') return tornBytes(bytes, change, fate)
  return changedBytes(bytes, change)
}

/** Equal for equal fates. */
export function choiceKey(fates: readonly Fate[]): string {
  return fates.map(fateKey).join()
}

function fateKey(fate: Fate): string {
  if (fate === 'kept') return '+'
  if (fate === 'undone') return '-'
  return fate.kept === 'size' ? fate.kept : `${fate.kept}${fate.bytes}`
}
