import { LoaderError } from '@loader/session-core'
import { blobId } from '../git/object-id.ts'
import type { TreeEntry } from '../git/tree-entry.ts'
import { type FolderEntries, folderMode, parseFolder, sortKey } from '../git/tree-object.ts'
import { breather } from '../walk/breather.ts'
import type { RawPath } from './raw-path.ts'
import { GitFailure, type SideRepository, sideGit } from './side-repository.ts'

/** How an entry differs between two trees; `undefined` where a tree does not have it. */
export interface EntryChange {
  readonly path: RawPath
  readonly before: TreeEntry | undefined
  readonly after: TreeEntry | undefined
}

export async function requireTree(side: SideRepository, tree: string): Promise<void> {
  if (!/^[0-9a-f]{40}$/.test(tree)) {
    throw new LoaderError(
      'invalid_id',
      `${JSON.stringify(tree)} is not the id of a tree. It has 40 digits from 0 to f.`,
    )
  }
  if (side.objects.has(tree) && side.objects.folder(tree) !== undefined) return
  // Objects that our reader cannot find are asked of git, which knows every form of an object.
  const { output } = await sideGit(side, { arguments: ['cat-file', '--batch-check'], input: `${tree}\n` })
  if (output.startsWith(`${tree} tree `)) return
  throw new LoaderError(
    'blob_missing',
    `The tree ${tree} of the workspace is not kept any more. It was pruned, or never taken here.`,
  )
}

/** The ids that exist, in the same order. */
export async function thoseThere(side: SideRepository, ids: readonly string[]): Promise<string[]> {
  const { output } = await sideGit(side, {
    arguments: ['cat-file', '--batch-check'],
    input: ids.map((id) => `${id}\n`).join(''),
  })
  return output.split('\n').flatMap((line) => (/^[0-9a-f]{40} (tree|blob) \d+$/.test(line) ? [line.slice(0, 40)] : []))
}

export async function entryChanges(side: SideRepository, from: string, to: string): Promise<EntryChange[]> {
  await requireTree(side, from)
  await requireTree(side, to)
  const changes: EntryChange[] = []
  await addChanges(side, { path: '', before: from, after: to }, changes)
  return changes
}

export async function treeEntries(side: SideRepository, tree: string): Promise<Map<RawPath, TreeEntry>> {
  await requireTree(side, tree)
  const entries = new Map<RawPath, TreeEntry>()
  await eachFile(side, tree, '', (path, entry) => entries.set(path, entry))
  return entries
}

/** The ids of all folders of a tree, and of the tree. */
export async function foldersOf(side: SideRepository, tree: string): Promise<Set<string>> {
  const found = new Set<string>()
  const pending = [tree]
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (found.has(id)) continue
    found.add(id)
    for (const [, { mode, blob }] of await folderEntries(side, id)) if (mode === folderMode) pending.push(blob)
  }
  return found
}

/** The content of blobs, each checked against its id. */
export async function readBlobs(side: SideRepository, ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const rest = breather()
  const found = new Map<string, Buffer>()
  const missing: string[] = []
  for (const id of new Set(ids)) {
    const object = side.objects.read(id)
    if (object?.type === 'blob') found.set(id, asBuffer(object.content))
    else if (object === undefined) missing.push(id)
    await rest()
  }
  const rare = await askForObjects(side, missing)
  for (const [id, { type, content }] of rare) if (type === 'blob' && blobId(content) === id) found.set(id, content)
  return found
}

/** Asks git for objects that our reader cannot read: very large ones, or in a form that only git knows. */
async function askForObjects(side: SideRepository, ids: readonly string[]) {
  const found = new Map<string, { readonly type: string; readonly content: Buffer }>()
  if (ids.length === 0) return found
  const input = ids.map((id) => `${id}\n`).join('')
  const bytes = asBuffer((await sideGit(side, { arguments: ['cat-file', '--batch'], input })).bytes)
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(10, start)
    const [id = '', type = '', size = ''] = bytes.toString('latin1', start, end).split(' ')
    start = end + 1
    if (type === 'missing') continue
    found.set(id, { type, content: bytes.subarray(start, start + Number(size)) })
    start += Number(size) + 1
  }
  return found
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** The names in a folder of a tree. */
export async function folderEntries(side: SideRepository, id: string): Promise<FolderEntries> {
  const known = side.objects.folder(id)
  if (known !== undefined) return known
  const asked = (await askForObjects(side, [id])).get(id)
  if (asked?.type !== 'tree') throw new GitFailure(`a folder of a tree is not there: ${id}`)
  return parseFolder(asked.content)
}

async function eachFile(
  side: SideRepository,
  folder: string,
  start: RawPath,
  visit: (path: RawPath, entry: TreeEntry) => void,
): Promise<void> {
  for (const [name, entry] of await folderEntries(side, folder)) {
    if (entry.mode === folderMode) await eachFile(side, entry.blob, `${start}${name}/`, visit)
    else visit(start + name, entry)
  }
}

/** Only folders that differ are compared further. */
async function addChanges(
  side: SideRepository,
  { path, before, after }: { readonly path: RawPath; readonly before: string; readonly after: string },
  changes: EntryChange[],
): Promise<void> {
  const [one, other] = [byKey(await folderEntries(side, before)), byKey(await folderEntries(side, after))]
  for (const key of [...new Set([...one.keys(), ...other.keys()])].sort()) {
    const [was, is] = [one.get(key), other.get(key)]
    if (was?.blob === is?.blob && was?.mode === is?.mode) continue
    if (!key.endsWith('/')) changes.push({ path: path + key, before: was, after: is })
    else if (was !== undefined && is !== undefined)
      await addChanges(side, { path: path + key, before: was.blob, after: is.blob }, changes)
    else if (was !== undefined)
      await eachFile(side, was.blob, path + key, (file, before) =>
        changes.push({ path: file, before, after: undefined }),
      )
    else if (is !== undefined)
      await eachFile(side, is.blob, path + key, (file, after) => changes.push({ path: file, before: undefined, after }))
  }
}

function byKey(entries: FolderEntries): ReadonlyMap<string, TreeEntry> {
  return new Map(entries.map(([name, entry]) => [sortKey(name, entry), entry]))
}
