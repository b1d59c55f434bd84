import { objectId } from './object-id.ts'
import type { TreeEntry } from './tree-entry.ts'

/** The mode of a folder within a tree. */
export const folderMode = '40000'

/** The names in one folder, each with one character for each byte. */
export type FolderEntries = readonly (readonly [name: string, entry: TreeEntry])[]

export function parseFolder(content: Uint8Array): FolderEntries {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const entries: [string, TreeEntry][] = []
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(0, start)
    const head = bytes.toString('latin1', start, end)
    const space = head.indexOf(' ')
    const blob = bytes.toString('hex', end + 1, end + 21)
    entries.push([head.slice(space + 1), { mode: head.slice(0, space), blob }])
    start = end + 21
  }
  return entries
}

/** Git sorts a folder as if its name ended with a slash. */
export function sortKey(name: string, { mode }: TreeEntry): string {
  return mode === folderMode ? `${name}/` : name
}

const idBytes = 20

function writeFolder(entries: FolderEntries): Buffer {
  const sorted = entries
    .map(([name, entry]) => ({ key: sortKey(name, entry), head: `${entry.mode} ${name}\0`, id: entry.blob }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
  const bytes = Buffer.allocUnsafe(sorted.reduce((sum, { head }) => sum + head.length + idBytes, 0))
  let at = 0
  for (const { head, id } of sorted) {
    at += bytes.write(head, at, 'latin1')
    at += bytes.write(id, at, 'hex')
  }
  return bytes
}

interface Folder {
  readonly files: Map<string, TreeEntry>
  readonly folders: Map<string, Folder>
}

export interface BuiltFolder {
  readonly id: string
  readonly content: Uint8Array
  readonly entries: FolderEntries
}

/** All folders of a tree with these files, inner folders before outer ones: the last is the root tree. */
export function buildTree(entries: Iterable<readonly [string, TreeEntry]>): readonly BuiltFolder[] {
  const root: Folder = { files: new Map(), folders: new Map() }
  for (const [path, entry] of entries) {
    const names = path.split('/')
    const last = names.pop() ?? ''
    let folder = root
    for (const name of names) {
      const inside = folder.folders.get(name) ?? { files: new Map(), folders: new Map() }
      folder.folders.set(name, inside)
      folder = inside
    }
    folder.files.set(last, entry)
  }
  const built: BuiltFolder[] = []
  addFolder(root, built)
  return built
}

function addFolder({ files, folders }: Folder, built: BuiltFolder[]): string {
  const inside = [...folders].map(
    ([name, folder]) => [name, { mode: folderMode, blob: addFolder(folder, built) }] as const,
  )
  const entries = [...files, ...inside]
  const content = writeFolder(entries)
  const id = objectId({ type: 'tree', content })
  built.push({ id, content, entries })
  return id
}
