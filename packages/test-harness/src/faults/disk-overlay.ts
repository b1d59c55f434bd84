import type { DiskImage, Entries, Inode } from './disk-image.ts'
import { overwrite, type PagedBytes, resize } from './paged-bytes.ts'
import type { RecordedChange } from './recording.ts'

/** Changes on top of an unchanged image. */
export class DiskOverlay implements DiskImage {
  readonly root: Inode
  readonly #under: DiskImage
  readonly #bytes: Map<Inode, PagedBytes>
  readonly #entries: Map<Inode, Map<string, Inode>>
  /** Folders whose entries are not shared with a copy of this overlay. */
  readonly #own = new Set<Inode>()

  constructor(
    under: DiskImage,
    bytes: ReadonlyMap<Inode, PagedBytes> = new Map(),
    entries: ReadonlyMap<Inode, Map<string, Inode>> = new Map(),
  ) {
    this.root = under.root
    this.#under = under
    this.#bytes = new Map(bytes)
    this.#entries = new Map(entries)
  }

  bytesOf(file: Inode): PagedBytes {
    return this.#bytes.get(file) ?? this.#under.bytesOf(file)
  }

  entriesOf(directory: Inode): Entries {
    return this.#entries.get(directory) ?? this.#under.entriesOf(directory)
  }

  apply(change: RecordedChange): void {
    const { inode } = change
    if (change.kind === 'entries') makeEntries(this.#ownEntries(inode), change)
    else this.#bytes.set(inode, changedBytes(this.bytesOf(inode), change))
  }

  /** The current state, independent of later changes. */
  copy(): DiskOverlay {
    this.#own.clear()
    return new DiskOverlay(this.#under, this.#bytes, this.#entries)
  }

  #ownEntries(directory: Inode): Map<string, Inode> {
    const known = this.#entries.get(directory)
    if (known && this.#own.has(directory)) return known
    const entries = new Map(this.entriesOf(directory))
    this.#entries.set(directory, entries)
    this.#own.add(directory)
    return entries
  }
}

/** The bytes of a file after a change to them. */
export function changedBytes(bytes: PagedBytes, change: RecordedChange): PagedBytes {
  switch (change.kind) {
    case 'write':
      return overwrite(bytes, change.position, change.data)
    case 'truncate':
      return resize(bytes, change.size)
    case 'entries':
      return bytes
    default:
      return change satisfies never
  }
}

/** The entries of a folder after a change to them. */
export function changedEntries(entries: Entries, change: RecordedChange): Entries {
  const changed = new Map(entries)
  if (change.kind === 'entries') makeEntries(changed, change)
  return changed
}

function makeEntries(
  entries: Map<string, Inode>,
  { entries: changes }: Extract<RecordedChange, { kind: 'entries' }>,
): void {
  for (const [name, inode] of changes) {
    if (inode === null) entries.delete(name)
    else entries.set(name, inode)
  }
}
