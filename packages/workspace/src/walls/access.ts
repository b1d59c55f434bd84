import type { Reach } from '@loader/session-core/coding'
import { isWithin } from '../paths/place.ts'
import { statsOf } from './entries.ts'
import type { Indexed } from './folder-index.ts'
import { type GitFolders, gitFolders } from './git-folders.ts'
import { type Guard, guardOf } from './guard.ts'
import { guardedPaths, isMatched } from './guarded-names.ts'
import { userConfigurations } from './home.ts'
import { type Access, accessUnder, type Mount } from './mount.ts'
import type { Prepared } from './prepared.ts'

/** The guards of the workspace and its git folders, as computed before a command. */
export interface Looked {
  readonly git: GitFolders
  /** Guarded paths relative to the workspace. */
  readonly paths: readonly string[]
  readonly found: Indexed
  readonly guard: Guard
}

/** The writable paths and the guarded paths among them, at this moment. */
export function lookAtGround({ surroundings, index, settings }: Prepared, reach: Reach): Looked {
  const { root, home, place } = surroundings
  const git = gitFolders(root)
  const paths = guardedPaths(place.settings ?? {}, root === home)
  const found = index.look(git, (packages) => (reach === 'network' ? packages : []))
  const configurations = userConfigurations(home, place.variables ?? process.env)
  return { git, paths, found, guard: guardOf({ root, git, found, paths, settings, configurations, home }) }
}

/**
 * For a read-only command: the mounts at or above a file or folder, in order. Guards are not computed, because
 * everything is read-only, nor seals, because they show the same file. So a tool that reads a file need not walk the
 * workspace.
 */
export function mountsOver(
  path: string,
  { surroundings: { root }, around, after }: Prepared,
  caches: () => readonly Mount[],
): readonly Mount[] {
  const isOver = (mount: Mount) => isWithin(mount.path, path)
  const hidden = after.filter(isOver)
  if (isWithin(root, path)) return [{ kind: 'guarded', path: root }, ...hidden]
  const outside = gitFolders(root).outside.map((each): Mount => ({ kind: 'guarded', path: each }))
  return [...around.filter((each) => isOver(each) && isStillThere(each)), ...caches(), ...outside, ...hidden]
}

/** Whether a command can write at a path; undefined where the mounts around the workspace decide. */
export function accessToWrite(path: string, prepared: Prepared): Access | undefined {
  const { root } = prepared.surroundings
  const looked = lookAtGround(prepared, 'work')
  const { ground, mounts } = looked.guard
  const top = ground.find((each) => isWithin(each, path))
  if (top === undefined) return undefined
  const layered = looked.found.packages
  return accessIn({ ...looked, root, layered, mounts: [{ kind: 'writable', path: top }, ...mounts] }, path)
}

interface Ways extends Looked {
  readonly root: string
  readonly mounts: readonly Mount[]
  /** Folders of packages whose changes go to a layer, or are refused. */
  readonly layered: readonly string[]
}

/** As the mounts say, except that no new entry may appear at a guarded path or in a layer. */
export function accessIn({ root, mounts, guard, paths, layered }: Ways, path: string): Access {
  const access = accessUnder(mounts, path)
  if (access.kind !== 'writable' || !isWithin(root, path)) return access
  const isWatched = guard.watched.some((each) => isWithin(each.path, path))
  const isInLayer = layered.some((each) => isWithin(each, path))
  const isNamed = paths.some((each) => isMatched(each, path.slice(root.length + 1)))
  return isWatched || isInLayer || isNamed ? { kind: 'readonly', real: path } : access
}

/** Whether the mount is still possible. A hidden path that is gone cannot be mounted over, and need not be. */
export function isStillThere({ kind, path }: Mount): boolean {
  return (kind !== 'masked' && kind !== 'empty') || statsOf(path) !== undefined
}

export function isPipeOrSocket(path: string): boolean {
  const stats = statsOf(path)
  return stats?.isFIFO() === true || stats?.isSocket() === true
}
