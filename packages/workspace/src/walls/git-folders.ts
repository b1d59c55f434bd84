import { dirname, join, resolve } from 'node:path'
import { isWithin } from '../paths/place.ts'
import { repositoryAbove } from '../git/repository.ts'
import { realOf, statsOf, textOf } from './entries.ts'
import { type Ground, namesOn, statsOn, textOn } from './ground.ts'

/** The git folders that commands in a workspace work with. */
export interface GitFolders {
  /** The top of the work tree: the workspace, or a folder above it. */
  readonly top: string | undefined
  /** Folders of git, as real paths, whose hooks and settings are guarded. */
  readonly folders: readonly string[]
  /** Those of them that lie outside the workspace and belong to it. */
  readonly outside: readonly string[]
}

const none: GitFolders = { top: undefined, folders: [], outside: [] }

/**
 * Finds the real git folder: `.git` itself, or what a `.git` file of a worktree or a submodule names. A file could name
 * any folder of the machine, so one outside counts only when it is a git folder and names this work tree in turn.
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

/** What a `.git` is or names, as a real path. */
export function gitFolderOf(top: string): string | undefined {
  const path = join(top, '.git')
  if (statsOf(path)?.isFile() !== true) return realOf(path)
  const named = /^gitdir: (.+?)\r?\n?$/s.exec(textOf(path) ?? '')?.[1]
  return named === undefined ? undefined : realOf(resolve(top, named))
}

function commonFolder(own: string): string {
  const named = textOf(join(own, 'commondir'))?.trim()
  return (named === undefined ? undefined : realOf(resolve(own, named))) ?? own
}

export function isGitFolder(path: string): boolean {
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

const guardedInGit = ['hooks', 'config', 'config.worktree', 'commondir', 'gitdir']

/**
 * The guarded places of a git folder, relative to it, with those of its submodules and work trees. Work trees that lie
 * elsewhere are no business of commands: they are guarded as a whole, and so is what is no folder.
 */
export function guardedGitPaths(ground: Ground, folder: string, root: string): readonly string[] {
  const isFolder = (path: string) => statsOn(ground, join(folder, path))?.isDirectory() === true
  const trees = namesOn(ground, join(folder, 'worktrees')).map((name) => `worktrees/${name}`)
  const isOurs = (tree: string) => isFolder(tree) && isTreeOf(ground, join(folder, tree), root)
  return [
    ...guardedInGit,
    ...['worktrees', 'modules'].filter((path) => isLink(ground, join(folder, path))),
    ...trees.flatMap((tree) => (isOurs(tree) ? guardedInGit.map((path) => `${tree}/${path}`) : [tree])),
    ...submodulesIn(ground, folder, 'modules').flatMap((module) =>
      isFolder(module)
        ? guardedGitPaths(ground, join(folder, module), root).map((path) => `${module}/${path}`)
        : [module],
    ),
  ]
}

/** Whether its work tree is the workspace, or lies in it, or around it. */
function isTreeOf(ground: Ground, tree: string, root: string): boolean {
  const named = textOn(ground, join(tree, 'gitdir'))?.trim()
  const place = named?.startsWith('/') === true ? realOf(dirname(named)) : undefined
  return place !== undefined && (isWithin(root, place) || isWithin(place, root))
}

function isLink(ground: Ground, path: string): boolean {
  return statsOn(ground, path)?.isSymbolicLink() === true
}

/** Names of submodules may have several parts. Links among them are named too. */
function submodulesIn(ground: Ground, folder: string, below: string, depth = 0): readonly string[] {
  if (depth > 6) return []
  return namesOn(ground, join(folder, below)).flatMap((name) => {
    const path = `${below}/${name}`
    if (isLink(ground, join(folder, path))) return [path]
    if (statsOn(ground, join(folder, path))?.isDirectory() !== true) return []
    return isGitFolder(join(folder, path)) ? [path] : submodulesIn(ground, folder, path, depth + 1)
  })
}

/** Files and folders within a work tree that its settings name: hooks in another place, settings that are included. */
export function namedInSettings(folder: string, top: string): readonly string[] {
  const text = textOf(join(folder, 'config')) ?? ''
  const named = [...text.matchAll(/^\s*(hookspath|path)\s*=\s*"?(.+?)"?\s*$/gim)]
  return named.map(([, key, value]) => resolve(key?.toLowerCase() === 'path' ? folder : top, value ?? ''))
}
