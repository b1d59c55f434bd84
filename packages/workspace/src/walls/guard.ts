import { dirname, join, relative, resolve } from 'node:path'
import { isWithin } from '../paths/place.ts'
import { namesIn, realOf, statsOf, targetOf } from './entries.ts'
import type { Indexed } from './folder-index.ts'
import type { GitFolders } from './git-folders.ts'
import type { Ground } from './ground.ts'
import type { Mount } from './mount.ts'
import { namedBySettings } from './named-programs.ts'
import { guardedPlaces, repositoriesIn, type Repository } from './repositories.ts'
import type { SettingsFiles } from './settings-files.ts'
import { type Planned, plannedIn } from './unfinished.ts'
import { type Unnameable, unnameableIn } from './unnameable.ts'

/** A guarded place that no mount can hold, and its state before a command. */
export type WatchedPaths =
  | { readonly was: 'absent'; readonly path: string }
  /** Settings name this path, so only a file there could be run. */
  | { readonly was: 'no file'; readonly path: string }
  | { readonly was: 'link'; readonly path: string; readonly target: string }

/** The guarded places of a workspace at this moment. */
export interface Guard {
  readonly ground: Ground
  readonly mounts: readonly Mount[]
  readonly watched: readonly WatchedPaths[]
  /** The index when the command began. */
  readonly before: Indexed
  /** The commands that unfinished work of each repository was already going to run. */
  readonly planned: ReadonlyMap<string, Planned>
  readonly unnameable: ReadonlyMap<string, Unnameable>
}

export interface Guarding {
  readonly root: string
  readonly git: GitFolders
  readonly found: Indexed
  /** Guarded paths relative to the workspace. The last name may begin with `*`. */
  readonly paths: readonly string[]
  readonly settings: SettingsFiles
  /** The user's configuration files of git. */
  readonly configurations: readonly string[]
  readonly home: string
}

interface Draft {
  readonly root: string
  readonly ground: Ground
  /** Folders above guarded places. As mounts of their own they cannot be renamed. */
  readonly parents: Set<string>
  readonly held: Set<string>
  readonly watched: Map<string, WatchedPaths>
}

/**
 * Guards a workspace while a command runs.
 *
 * 1. An existing guarded path is mounted read-only. Every folder above it, up to the workspace, is mounted writable,
 *    because renaming one would carry the mount along and leave its path free. The same goes for folders above
 *    installed packages.
 * 2. A missing path cannot be mounted without leaving an empty file on the disk. It is watched instead: checked when
 *    the command and all of its processes have ended.
 * 3. A link is watched, and its target is guarded; so are the targets of links within guarded folders.
 */
export function guardOf(guarding: Guarding): Guard {
  const { root, git, found } = guarding
  const ground: Ground = [root, ...git.outside]
  const draft: Draft = { root, ground, parents: new Set(), held: new Set(), watched: new Map() }
  for (const path of guarding.paths.flatMap((each) => matching(root, each))) trace(draft, join(root, path))
  guardEntry(draft, join(root, '.git'))
  for (const path of found.repositories) guardEntry(draft, path)
  for (const path of found.packages) if (dirname(path) !== root) addParents(draft, dirname(path))
  const repositories = repositoriesIn(ground, git, found)
  for (const repository of repositories) guardRepository(draft, repository, guarding)
  const planned = new Map(repositories.map(({ folder }) => [folder, plannedIn(ground, folder)]))
  for (const link of found.links) if (isHeld(draft, dirname(link))) trace(draft, link)
  const unnameable = unnameableIn(found.unnameable)
  return { ground, mounts: mountsOf(draft), watched: [...draft.watched.values()], before: found, planned, unnameable }
}

/** The existing paths that match a guarded path. */
export function matching(root: string, path: string): readonly string[] {
  if (!path.startsWith('*')) return [path]
  return namesIn(root).filter((name) => name.endsWith(path.slice(1)))
}

/** Whether a place was mounted as guarded, so that nothing in it can be new. */
export function wasGuarded({ mounts, watched }: Guard, path: string): boolean {
  const isMounted = mounts.some((mount) => mount.kind === 'guarded' && isWithin(mount.path, path))
  return isMounted || watched.some((each) => each.path === path)
}

/** Guards the `.git` of a work tree. A `.git` folder itself stays writable. */
function guardEntry(draft: Draft, path: string): void {
  if (statsOf(path)?.isDirectory() === true) addParents(draft, path)
  else trace(draft, path)
}

function guardRepository(draft: Draft, repository: Repository, guarding: Guarding): void {
  const { folder, common, tops } = repository
  addParents(draft, folder)
  for (const place of guardedPlaces(draft.ground, draft.root, repository)) trace(draft, place)
  const files = [join(common, 'config'), join(folder, 'config.worktree'), ...guarding.configurations]
  const { settings, included } = guarding.settings.read(files)
  const { folders, programs } = namedBySettings(settings, tops, guarding.home)
  const isFolder = (path: string) => statsOf(realOf(path) ?? path)?.isDirectory() === true
  for (const path of [...included, ...folders]) trace(draft, path)
  for (const path of programs) if (!isFolder(path)) trace(draft, path, 'no file')
}

/** Adds a folder, and those above it in which commands can write. */
function addParents({ ground, parents }: Draft, folder: string): void {
  const base = ground.find((each) => isWithin(each, folder))
  if (base === undefined) return
  for (let path = folder; path !== base; path = dirname(path)) parents.add(path)
}

/** Guards a place, following a limited number of links. Places that commands cannot change need no guard. */
function trace(draft: Draft, path: string, was: 'absent' | 'no file' = 'absent', links = 8): void {
  const base = draft.ground.find((each) => isWithin(each, path))
  if (base === undefined || path === base) return
  const names = relative(base, path).split('/')
  const passed: string[] = []
  for (const [index] of names.entries()) {
    const current = join(base, ...names.slice(0, index + 1))
    const stats = statsOf(current)
    if (stats === undefined) {
      if (draft.watched.get(path)?.was !== 'absent') draft.watched.set(path, { was, path })
      return
    }
    if (stats.isSymbolicLink()) {
      const target = targetOf(current) ?? ''
      draft.watched.set(current, { was: 'link', path: current, target })
      for (const parent of passed) draft.parents.add(parent)
      const real = realOf(current) ?? resolve(dirname(current), target)
      if (links > 0) trace(draft, join(real, ...names.slice(index + 1)), was, links - 1)
      return
    }
    if (current !== path) passed.push(current)
  }
  for (const parent of passed) draft.parents.add(parent)
  draft.held.add(path)
}

function isHeld({ held }: Draft, path: string): boolean {
  for (let each = path; each !== dirname(each); each = dirname(each)) if (held.has(each)) return true
  return false
}

function mountsOf(draft: Draft): readonly Mount[] {
  const writable = [...draft.parents].filter((path) => !isHeld(draft, path))
  const guarded = [...draft.held].filter((path) => !isHeld(draft, dirname(path)))
  const mounts: Mount[] = [
    ...writable.map((path) => ({ kind: 'writable' as const, path })),
    ...guarded.map((path) => ({ kind: 'guarded' as const, path })),
  ]
  // Outer mounts come first, because they would cover inner ones.
  return mounts.sort((a, b) => a.path.split('/').length - b.path.split('/').length)
}
