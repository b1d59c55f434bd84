import { existsSync } from 'node:fs'
import { LocalTrees, programOnPath, treesNamedIn } from '@loader/workspace'
import type { Console } from '../console/console.ts'
import { type Places, sessionFolders } from '../places/places.ts'

/**
 * Forgets the trees of the workspace that no session of the project names any more. Sessions in the trash count as long as
 * they lie there.
 */
export async function pruneTrees({ root, project }: Places, { environment }: Console): Promise<void> {
  const { folders } = project()
  if (!existsSync(folders.trees) || !existsSync(root)) return
  const variables = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const git = programOnPath('git', variables, root)
  if (git === undefined) return
  using trees = new LocalTrees({ root, folder: folders.trees, git, variables })
  await trees.prune([...treesNamedIn(sessionFolders(root, folders))])
}
