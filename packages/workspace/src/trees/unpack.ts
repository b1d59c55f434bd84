import { join } from 'node:path'
import { LoaderError } from '@loader/session-core'
import type { SavedFiles } from '@loader/session-core/coding'
import { noLooks } from '../git/index-file.ts'
import { folderMode } from '../git/tree-object.ts'
import { folderEntries, treeEntries } from './ask-side.ts'
import type { PrivateIndex } from './private-index.ts'
import { harmfulPath, isNeverKept, type RawPath, shownRawPath } from './raw-path.ts'
import { readRest } from './rest.ts'
import { keepText, sideGit, type SideRepository } from './side-repository.ts'

/** Takes the objects of a pack in. Each is checked against its id; what a thin pack builds on has to be here. */
export async function takePackIn(side: SideRepository, pack: Uint8Array): Promise<void> {
  await sideGit(side, { arguments: ['index-pack', '--stdin', '--fix-thin'], input: pack })
}

/** Whether all of these, and everything that they lead to, is here. */
export async function isComplete(side: SideRepository, { tree, rest, carried }: SavedFiles): Promise<boolean> {
  if (!side.objects.has(rest)) return false
  for (const root of [tree, ...(carried ? [carried.tree] : [])]) {
    if (!(await isTreeComplete(side, root))) return false
  }
  return true
}

async function isTreeComplete(side: SideRepository, tree: string): Promise<boolean> {
  const seen = new Set<string>()
  const pending = [tree]
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (seen.has(id)) continue
    seen.add(id)
    if (!side.objects.has(id)) return false
    for (const [, { mode, blob }] of await folderEntries(side, id)) {
      if (mode === folderMode) pending.push(blob)
      else if (!side.objects.has(blob)) return false
    }
  }
  return true
}

/**
 * A pack can come from anyone who may write to the store, so no name in it may lead out of the folder, into the
 * repository of the user, or to Loader's own files.
 */
export async function requireHarmless(side: SideRepository, { tree, rest, carried }: SavedFiles): Promise<void> {
  const lists = [tree, ...(carried ? [carried.tree] : [])].map(
    async (id) => new Set((await treeEntries(side, id)).keys()),
  )
  const made = (await readRest(side, rest)).filter(({ kind }) => kind === 'empty')
  const folders = new Set(made.map(({ path }) => path.replace(/\/$/, '')))
  for (const paths of [...(await Promise.all(lists)), ...[...folders].map((path) => new Set([path]))]) {
    const path = harmfulPath(paths) ?? [...paths].find(isNeverKept)
    if (path === undefined) continue
    const message = `The stored files cannot be made: ${JSON.stringify(shownRawPath(path))} is no name that a tree of files has.`
    throw new LoaderError('workspace_differs', message)
  }
}

/** From now on the files of this tree count as those that were taken last: they stay in, whatever is ignored here. */
export async function adoptTree(
  side: SideRepository,
  index: PrivateIndex,
  prefix: RawPath,
  tree: string,
): Promise<void> {
  const entries = await treeEntries(side, tree)
  index.begin()
  index.write(
    new Map([...entries].map(([path, { mode, blob }]) => [prefix + path, { mode, blob, looks: noLooks(mode) }])),
  )
  keepText(join(side.folder, 'latest'), tree)
  index.publish(tree)
}
