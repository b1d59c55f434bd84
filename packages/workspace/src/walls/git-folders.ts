import { dirname, join, resolve } from 'node:path'
import { isWithin } from '../paths/place.ts'
import { repositoryAbove } from '../git/repository.ts'
import { realOf, statsOf, textOf } from './entries.ts'

/** The git folders that commands in a workspace work with. */
export interface GitFolders {
  /** The top of the work tree: the workspace, or a folder above it. */
  readonly top: string | undefined
  /** The git folders whose hooks and settings are guarded, as real paths. */
  readonly folders: readonly string[]
  /** Those that lie outside the workspace and belong to it. */
  readonly outside: readonly string[]
}

const none: GitFolders = { top: undefined, folders: [], outside: [] }

/**
 * Finds the real git folder: `.git` itself, or the one named by the `.git` file of a worktree or a submodule. Such a
 * file could name any folder of the machine, so one outside counts only if it is a git folder that names this work tree
 * in turn.
 */
export function gitFolders(root: string): GitFolders {
  const top = repositoryAbove(root)
  if (top === undefined) return none
  const own = gitFolderOf(top)
  if (own === undefined) return { ...none, top }
  const common = commonFolder(own)
  const all = [...new Set([own, common])]
  const outside = isGitFolder(common) && namesInTurn(own, common, top) ? withoutInner(all, root) : []
  return { top, folders: all, outside }
}

/** The git folder that a `.git` is or names, as a real path. */
export function gitFolderOf(top: string): string | undefined {
  const path = join(top, '.git')
  if (statsOf(path)?.isFile() !== true) return realOf(path)
  const named = /^gitdir: (.+?)[\r\n]*$/s.exec(textOf(path) ?? '')?.[1]
  return named === undefined ? undefined : realOf(resolve(top, named))
}

/** The common folder of a git folder: the one that its `commondir` names, or itself. */
export function commonFolder(own: string): string {
  const named = textOf(join(own, 'commondir'))?.trim()
  return (named === undefined ? undefined : realOf(resolve(own, named))) ?? own
}

function isGitFolder(path: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => statsOf(join(path, name)) !== undefined)
}

function namesInTurn(own: string, common: string, top: string): boolean {
  if (own === join(top, '.git')) return true
  const back = textOf(join(own, 'gitdir'))?.trim()
  if (back !== undefined) return dirname(own) === join(common, 'worktrees') && realOf(dirname(back)) === top
  const tree = /^\s*worktree\s*=\s*"?(.+?)"?\s*$/m.exec(textOf(join(own, 'config')) ?? '')?.[1]
  return tree !== undefined && realOf(resolve(own, tree)) === top
}

function withoutInner(folders: readonly string[], root: string): readonly string[] {
  return folders.filter(
    (folder) => !isWithin(root, folder) && !folders.some((other) => other !== folder && isWithin(other, folder)),
  )
}
