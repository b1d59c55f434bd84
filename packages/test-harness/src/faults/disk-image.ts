import { createHash } from 'node:crypto'
import { allOf, bytesOf, digestOf, noBytes, type PagedBytes } from './paged-bytes.ts'

/** A file or folder apart from its names. Its identity is that of the object. */
export interface Inode {
  readonly kind: 'file' | 'directory'
}

export type Entries = ReadonlyMap<string, Inode>

/** The content of a disk. Immutable; shares unchanged parts with the image it was made from. */
export interface DiskImage {
  readonly root: Inode
  bytesOf(file: Inode): PagedBytes
  entriesOf(directory: Inode): Entries
}

const noEntries: Entries = new Map()

/** Every reachable entry by path, folders before their content, ordered by name. */
function* walk(image: DiskImage): Generator<{ readonly path: string; readonly inode: Inode }> {
  // An incomplete move can leave a folder in two places: it is visited once.
  const walked = new Set<Inode>()
  yield* walkBelow(image.root, '')

  function* walkBelow(directory: Inode, path: string): Generator<{ readonly path: string; readonly inode: Inode }> {
    walked.add(directory)
    for (const [name, inode] of sorted(image.entriesOf(directory))) {
      if (inode.kind === 'directory' && walked.has(inode)) continue
      yield { path: `${path}/${name}`, inode }
      if (inode.kind === 'directory') yield* walkBelow(inode, `${path}/${name}`)
    }
  }
}

/** Equal for the same names, bytes and hard links, and only for those. */
export function imageDigest(image: DiskImage): string {
  const first = new Map<Inode, string>()
  const lines: string[] = []
  for (const { path, inode } of walk(image)) {
    const shared = first.get(inode)
    if (shared === undefined) first.set(inode, path)
    const content = inode.kind === 'directory' ? '/' : digestOf(image.bytesOf(inode))
    lines.push(JSON.stringify([path, shared ?? content]))
  }
  return createHash('sha1').update(lines.join('\n')).digest('hex')
}

/** An image from plain files, and folders that may be empty. */
export function imageOf(
  files: Readonly<Record<string, string | Uint8Array>>,
  directories: readonly string[],
): DiskImage {
  const root: Inode = { kind: 'directory' }
  const bytes = new Map<Inode, PagedBytes>()
  const entries = new Map<Inode, Map<string, Inode>>([[root, new Map()]])
  for (const path of directories) directoryAt(partsOf(path))
  for (const [path, content] of Object.entries(files)) {
    const parts = partsOf(path)
    const file: Inode = { kind: 'file' }
    directoryAt(parts.slice(0, -1)).set(parts.at(-1) as string, file)
    bytes.set(file, bytesOf(typeof content === 'string' ? new TextEncoder().encode(content) : content))
  }
  return imageFrom(root, bytes, entries)

  function directoryAt(parts: readonly string[]): Map<string, Inode> {
    let here = entries.get(root) as Map<string, Inode>
    for (const part of parts) {
      const inode = here.get(part) ?? { kind: 'directory' }
      here.set(part, inode)
      if (!entries.has(inode)) entries.set(inode, new Map())
      here = entries.get(inode) as Map<string, Inode>
    }
    return here
  }
}

function imageFrom(
  root: Inode,
  bytes: ReadonlyMap<Inode, PagedBytes>,
  entries: ReadonlyMap<Inode, Entries>,
): DiskImage {
  return {
    root,
    bytesOf: (file) => bytes.get(file) ?? noBytes,
    entriesOf: (directory) => entries.get(directory) ?? noEntries,
  }
}

/** Every file by its path. */
export function filesOf(image: DiskImage): Record<string, Uint8Array> {
  const files = [...walk(image)].filter(({ inode }) => inode.kind === 'file')
  return Object.fromEntries(files.map(({ path, inode }) => [path, allOf(image.bytesOf(inode))]))
}

/** The names of a path from the root on. There is no current folder: a relative path starts at the root too. */
export function partsOf(path: string): string[] {
  const parts: string[] = []
  for (const part of path.split(separators)) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts
}

const separators = process.platform === 'win32' ? /[\\/]/ : /\//

const inOrder = new WeakMap<Entries, readonly [string, Inode][]>()

/** Entries of an image never change, so sorting them is cached. */
function sorted(entries: Entries): readonly [string, Inode][] {
  const known = inOrder.get(entries)
  if (known) return known
  const list = [...entries].sort(([one], [other]) => (one < other ? -1 : 1))
  inOrder.set(entries, list)
  return list
}
