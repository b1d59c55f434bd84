import { treeEntries, foldersOf } from './ask-side.ts'
import { storeTree } from './store-tree.ts'
import { foldersAbove, isInside, type RawPath } from './raw-path.ts'
import type { SideRepository } from './side-repository.ts'

/** Some paths of another tree. */
export interface TreePart {
  readonly tree: string
  /** Files, or folders with all that is in them. What the other tree does not have there is taken out. */
  readonly paths: readonly RawPath[]
}

/** A tree with some paths as other trees have them; the later parts count more. */
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
      // A file cannot lie beside a folder of its name. What lies in the path itself is gone already.
      for (const folder of foldersAbove(path)) mixed.delete(folder)
      mixed.set(path, entry)
    }
  }
  return await storeTree(side, mixed, known)
}
