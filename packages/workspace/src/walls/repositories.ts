import { dirname, join, resolve } from 'node:path'
import { isWithin } from '../paths/place.ts'
import { realOf } from './entries.ts'
import type { Indexed } from './folder-index.ts'
import { commonFolder, gitFolderOf, type GitFolders } from './git-folders.ts'
import { type Ground, textOn } from './ground.ts'

/** A repository that commands can write in, as git interprets it. */
export interface Repository {
  /** Its folder, as a real path. */
  readonly folder: string
  /** The folder of its settings and hooks: the same, or the one that its `commondir` names. */
  readonly common: string
  /** Its work trees. Git resolves relative paths in settings from here. */
  readonly tops: readonly string[]
}

/**
 * The repositories of a workspace: those that each `.git` is or names, each folder that git treats as one, and the
 * workspace's git folders outside of it. Those that commands cannot write are left out.
 */
export function repositoriesIn(ground: Ground, git: GitFolders, found: Indexed): readonly Repository[] {
  const tops = new Map<string, Set<string>>()
  const add = (folder: string | undefined, top: string | undefined) => {
    if (folder === undefined || !ground.some((base) => isWithin(base, folder))) return
    const known = tops.get(folder) ?? new Set<string>()
    if (top !== undefined) known.add(top)
    tops.set(folder, known)
  }
  for (const folder of git.folders) add(folder, git.top)
  for (const path of found.repositories) {
    if (!path.endsWith('/.git')) add(path, undefined)
    else add(gitFolderOf(dirname(path)), dirname(path))
  }
  return [...tops].map(([folder, known]) => ({
    folder,
    common: commonFolder(folder),
    tops: known.size === 0 ? [folder] : [...known],
  }))
}

const inFolder = ['hooks', 'config', 'config.worktree', 'commondir', 'gitdir']
const inCommon = ['hooks', 'config']

/** The guarded places of a repository. One whose work tree lies elsewhere is guarded as a whole. */
export function guardedPlaces(ground: Ground, root: string, { folder, common }: Repository): readonly string[] {
  const isTree = folder !== common && dirname(folder) === join(common, 'worktrees')
  const own = isTree && !isTreeOf(ground, folder, root) ? [folder] : inFolder.map((name) => join(folder, name))
  const shared = ground.some((base) => isWithin(base, common)) ? inCommon.map((name) => join(common, name)) : []
  return [...new Set([...own, ...shared])]
}

/** Whether the work tree is the workspace, lies in it, or contains it. */
function isTreeOf(ground: Ground, tree: string, root: string): boolean {
  const named = textOn(ground, join(tree, 'gitdir'))?.trim()
  if (named === undefined || named === '') return false
  const place = realOf(dirname(resolve(tree, named)))
  return place !== undefined && (isWithin(root, place) || isWithin(place, root))
}
