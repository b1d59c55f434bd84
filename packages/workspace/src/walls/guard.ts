import { join, relative } from 'node:path'
import { isWithin } from '../paths/place.ts'
import { realOf, statsOf, targetOf } from './entries.ts'
import type { Indexed } from './folder-index.ts'
import { gitFolderOf, type GitFolders, guardedGitPaths, namedInSettings } from './git-folders.ts'
import type { Ground } from './ground.ts'
import type { Mount } from './mount.ts'

/** A guarded place that no mount can hold, and how it was before a command. */
type Watched =
  | { readonly was: 'absent'; readonly path: string }
  | { readonly was: 'link'; readonly path: string; readonly target: string }

/** The guarded places of a workspace as they are at this moment. */
export interface Guard {
  readonly mounts: readonly Mount[]
  readonly watched: readonly Watched[]
  /** Folders of git that were there. What comes new is looked at afterwards. */
  readonly gitFolders: ReadonlySet<string>
}

interface Draft {
  readonly root: string
  readonly ground: Ground
  /** Folders on the way to guarded places. As mounts of their own they cannot be renamed. */
  readonly parents: Set<string>
  readonly held: Set<string>
  readonly watched: Map<string, Watched>
}

/**
 * What guards a workspace while a command runs.
 *
 * 1. What is there is mounted read-only, and so, writable, is every folder above it up to the workspace: a rename of any
 *    of them would carry the mount along and leave its place free.
 * 2. What is not there cannot be mounted without leaving an empty file on the disk. It is watched: looked at when
 *    the command and all that it started have ended.
 * 3. A link is watched, and where it leads is guarded.
 */
export function guardOf(root: string, paths: readonly string[], git: GitFolders, index: Indexed): Guard {
  const draft: Draft = { root, ground: [root, ...git.outside], parents: new Set(), held: new Set(), watched: new Map() }
  for (const path of paths) trace(draft, root, path)
  const folders = new Set(git.folders)
  guardEntry(draft, join(root, '.git'))
  for (const repository of index.repositories) {
    guardEntry(draft, repository)
    const folder = repository.endsWith('/.git') ? gitFolderOf(repository.slice(0, -'/.git'.length)) : repository
    if (folder !== undefined && isWithin(root, folder)) folders.add(folder)
  }
  const reached = [...folders].filter((folder) => baseOf(root, folder, git) !== undefined)
  for (const folder of reached) guardGit(draft, folder, git)
  return { mounts: mountsOf(draft), watched: [...draft.watched.values()], gitFolders: new Set(reached) }
}

/** The `.git` of a work tree. A folder is writable in itself. */
function guardEntry(draft: Draft, path: string): void {
  const stats = statsOf(path)
  if (stats?.isDirectory() === true) addParents(draft, path)
  else trace(draft, draft.root, relative(draft.root, path))
}

/** What commands can write around a folder of git; undefined when that is nothing. */
function baseOf(root: string, folder: string, git: GitFolders): string | undefined {
  return isWithin(root, folder) ? root : git.outside.find((outer) => isWithin(outer, folder))
}

function guardGit(draft: Draft, folder: string, git: GitFolders): void {
  const base = baseOf(draft.root, folder, git)
  if (base === undefined) return
  if (folder !== base) addParents(draft, folder)
  for (const path of guardedGitPaths(draft.ground, folder, draft.root))
    trace(draft, base, join(relative(base, folder), path))
  const top = git.folders.includes(folder) ? (git.top ?? draft.root) : join(folder, '..')
  for (const named of namedInSettings(folder, top)) {
    if (isWithin(draft.root, named) && named !== draft.root) trace(draft, draft.root, relative(draft.root, named))
  }
}

function addParents(draft: Draft, folder: string): void {
  const names = relative(draft.root, folder).split('/')
  if (names[0] === '..') return void draft.parents.add(folder)
  for (let count = 1; count <= names.length; count += 1) draft.parents.add(join(draft.root, ...names.slice(0, count)))
}

/** Goes from a folder to a guarded place below it, through links at most so many times. */
function trace(draft: Draft, base: string, path: string, links = 8): void {
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  const whole = join(base, ...names)
  const passed: string[] = []
  for (const [index] of names.entries()) {
    const current = join(base, ...names.slice(0, index + 1))
    const stats = statsOf(current)
    if (stats === undefined) return void draft.watched.set(whole, { was: 'absent', path: whole })
    if (stats.isSymbolicLink()) {
      draft.watched.set(current, { was: 'link', path: current, target: targetOf(current) ?? '' })
      for (const parent of passed) draft.parents.add(parent)
      const real = realOf(current)
      if (real === undefined || links === 0 || !isWithin(draft.root, real) || real === draft.root) return
      return trace(draft, draft.root, join(relative(draft.root, real), ...names.slice(index + 1)), links - 1)
    }
    if (current !== whole) passed.push(current)
  }
  for (const parent of passed) draft.parents.add(parent)
  draft.held.add(whole)
}

function mountsOf({ parents, held }: Draft): readonly Mount[] {
  const isHeld = (path: string) => [...held].some((each) => isWithin(each, path))
  const writable = [...parents].filter((path) => !isHeld(path))
  const guarded = [...held].filter((path) => ![...held].some((each) => each !== path && isWithin(each, path)))
  const mounts: Mount[] = [
    ...writable.map((path) => ({ kind: 'writable' as const, path })),
    ...guarded.map((path) => ({ kind: 'guarded' as const, path })),
  ]
  // Those further up come first, or they would cover the others.
  return mounts.sort((a, b) => a.path.split('/').length - b.path.split('/').length)
}
