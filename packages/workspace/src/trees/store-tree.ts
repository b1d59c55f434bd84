import { buildTree, folderMode } from '../git/tree-object.ts'
import type { TreeEntry } from '../git/tree-entry.ts'
import type { RawPath } from './raw-path.ts'
import { GitFailure, type SideRepository } from './side-repository.ts'

/**
 * Stores a tree of these files, whose contents are stored already. Folders of trees that are safe from pruning need not
 * be written again; every object of a written folder exists.
 */
export async function storeTree(
  side: SideRepository,
  entries: Iterable<readonly [RawPath, TreeEntry]>,
  known: ReadonlySet<string>,
): Promise<string> {
  const folders = buildTree(entries)
  const isThere = ({ id }: { readonly id: string }) => known.has(id) && side.objects.has(id)
  const news = folders.filter((folder) => !isThere(folder))
  for (const { entries: names } of news) {
    const lost = names.find(([, { mode, blob }]) => mode !== folderMode && !side.objects.has(blob))
    if (lost !== undefined) throw new GitFailure(`the content of ${lost[0]} is not there any more: ${lost[1].blob}`)
  }
  await side.objects.keep(news.map(({ content }) => ({ type: 'tree' as const, content })))
  return folders.at(-1)?.id ?? ''
}
