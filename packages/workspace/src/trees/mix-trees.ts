import { entriesOf } from './ask-side.ts'
import type { TreeEntry } from './trees-shown.ts'
import type { PrivateIndex } from './private-index.ts'
import { foldersAbove, isInside, type RawPath } from './raw-path.ts'
import { sideGit, type SideRepository } from './side-repository.ts'

/** Some paths of another tree. */
export interface TreePart {
  readonly tree: string
  /** Files, or folders with all that is in them. What the other tree does not have there is taken out. */
  readonly paths: readonly RawPath[]
}

/** A tree with some paths as other trees have them; the later parts count more. */
export async function mixTrees(
  side: SideRepository,
  index: PrivateIndex,
  base: string,
  parts: readonly TreePart[],
): Promise<string> {
  const mixed = await entriesOf(side, base)
  for (const { tree, paths } of parts) {
    const other = await entriesOf(side, tree)
    const isChosen = (path: RawPath) => paths.some((chosen) => isInside(chosen, path))
    for (const path of [...mixed.keys()].filter(isChosen)) mixed.delete(path)
    for (const [path, entry] of other) {
      if (!isChosen(path)) continue
      // A file cannot lie beside a folder of its name. What lies in the path itself is gone already.
      for (const folder of foldersAbove(path)) mixed.delete(folder)
      mixed.set(path, entry)
    }
  }
  return await writeEntries(side, index, mixed)
}

/** These entries as a tree. */
export async function writeEntries(
  side: SideRepository,
  index: PrivateIndex,
  entries: ReadonlyMap<RawPath, TreeEntry>,
): Promise<string> {
  // Git finds no tree where there is nothing.
  if (entries.size === 0) return (await sideGit(side, { arguments: ['mktree', '-z'], input: '' })).output.trim()
  index.reset()
  const input = [...entries].map(([path, { mode, blob }]) => `${mode} ${blob}\t${path}\0`).join('')
  await sideGit(side, { arguments: ['update-index', '-z', '--index-info'], index: index.path, input })
  return (await sideGit(side, { arguments: ['write-tree'], index: index.path })).output.trim()
}
