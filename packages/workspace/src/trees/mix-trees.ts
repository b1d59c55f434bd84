import { treeEntries, foldersOf } from './ask-side.ts'
import { storeTree } from './store-tree.ts'
import { foldersAbove, isInside, type RawPath } from './raw-path.ts'
import type { SideRepository } from './side-repository.ts'

/** Some paths of another tree. */
export interface TreePart {
  readonly tree: string
  /** Files, or folders with all their content. Paths that the other tree does not have are removed. */
  readonly paths: readonly RawPath[]
}

/** A tree with some paths taken from other trees; later parts take precedence. */
export async function mixTrees(side: SideRepository, base: string, parts: readonly TreePart[]): Promise<string> {
  const mixed = await treeEntries(side, base)
  const known = await foldersOf(side, base)
  for (const { tree, paths } of parts) {
    const other = await treeEntries(side, tree)
    for (const folder of await foldersOf(side, tree)) known.add(folder)
    const isChosen = (path: RawPath) => paths.some((chosen) => isInside(chosen, path))
    for (const path of [...mixed.keys()].filter(isChosen)) mixed.delete(path)
    for (const [path, entry] of other) {
      if (!isChosen(path)) continue
      // A file cannot exist beside a folder of the same name. Everything below the path itself is removed already.
      for (const folder of foldersAbove(path)) mixed.delete(folder)
      mixed.set(path, entry)
    }
  }
  return await storeTree(side, mixed, known)
}
