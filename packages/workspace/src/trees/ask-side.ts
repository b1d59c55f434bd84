import { createHash } from 'node:crypto'
import { LoaderError } from '@loader/session-core'
import { type RawPath, splitAtNul } from './raw-path.ts'
import { type SideRepository, sideGit } from './side-repository.ts'
import type { TreeEntry } from './trees-shown.ts'

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
  const { output } = await sideGit(side, { arguments: ['cat-file', '--batch-check'], input: `${tree}\n` })
  if (output.startsWith(`${tree} tree `)) return
  throw new LoaderError(
    'blob_missing',
    `The tree ${tree} of the workspace is not kept any more. It was pruned, or never taken here.`,
  )
}

/** Those that are there, in the same order. */
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
  const { output } = await sideGit(side, {
    arguments: ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', from, to],
  })
  const parts = splitAtNul(output)
  const changes: EntryChange[] = []
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [beforeMode = '', afterMode = '', before = '', after = ''] = (parts[index] ?? '').slice(1).split(' ')
    changes.push({
      path: parts[index + 1] ?? '',
      before: entryOf(beforeMode, before),
      after: entryOf(afterMode, after),
    })
  }
  return changes
}

export async function entriesOf(side: SideRepository, tree: string): Promise<Map<RawPath, TreeEntry>> {
  await requireTree(side, tree)
  const { output } = await sideGit(side, { arguments: ['ls-tree', '-r', '-z', '--full-tree', tree] })
  return new Map(
    splitAtNul(output).map((line) => {
      const [mode = '', , blob = ''] = line.slice(0, line.indexOf('\t')).split(' ')
      return [line.slice(line.indexOf('\t') + 1), { mode, blob }]
    }),
  )
}

/** The content of blobs, each proven by its id. */
export async function readBlobs(side: SideRepository, ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const { bytes } = await sideGit(side, {
    arguments: ['cat-file', '--batch'],
    input: wanted.map((id) => `${id}\n`).join(''),
  })
  const found = new Map<string, Buffer>()
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(10, start)
    const [id = '', type = '', size = ''] = bytes.toString('latin1', start, end).split(' ')
    start = end + 1
    if (type !== 'blob') continue
    const content = bytes.subarray(start, start + Number(size))
    start += Number(size) + 1
    if (blobId(content) === id) found.set(id, content)
  }
  return found
}

/** The id that git gives to a content. */
export function blobId(content: Uint8Array): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
}

function entryOf(mode: string, blob: string): TreeEntry | undefined {
  return /^0+$/.test(mode) ? undefined : { mode, blob }
}
