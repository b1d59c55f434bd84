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

/** The workspace with its folders of git, as they are before a command. */
export interface Looked {
  readonly git: GitFolders
  /** Guarded paths relative to the workspace. */
  readonly paths: readonly string[]
  readonly found: Indexed
  readonly guard: Guard
}

/** What can be changed, and what in it is guarded, as it is at this moment. */
export function lookAtGround({ surroundings, index, settings }: Prepared, reach: Reach): Looked {
  const { root, home, place } = surroundings
  const git = gitFolders(root)
  const paths = guardedPaths(place.settings ?? {}, root === home)
  const found = index.look(git, (packages) => (reach === 'network' ? packages : []))
  const configurations = userConfigurations(home, place.variables ?? process.env)
  return { git, paths, found, guard: guardOf({ root, git, found, paths, settings, configurations, home }) }
}

/**
 * Of the mounts of a command that only looks those at and above a file or folder, in their order. Nothing is guarded
 * where all of it is read-only, and what lies under a seal is the file itself: so neither is looked for, and a tool that
 * reads a file need not look at the whole workspace.
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

/** Whether a command can write what it sees at a path; undefined where that is for the mounts around the workspace to say. */
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
  /** Folders of packages whose changes go elsewhere, or nowhere. */
  readonly layered: readonly string[]
}

/** What the mounts say, but that nothing new must appear where something is guarded, nor in a layer. */
export function accessIn({ root, mounts, guard, paths, layered }: Ways, path: string): Access {
  const access = accessUnder(mounts, path)
  if (access.kind !== 'writable' || !isWithin(root, path)) return access
  const isWatched = guard.watched.some((each) => isWithin(each.path, path))
  const isInLayer = layered.some((each) => isWithin(each, path))
  const isNamed = paths.some((each) => isMatched(each, path.slice(root.length + 1)))
  return isWatched || isInLayer || isNamed ? { kind: 'readonly', real: path } : access
}

/** What is to be hidden and has gone since cannot be mounted over, and need not. */
export function isStillThere({ kind, path }: Mount): boolean {
  return (kind !== 'masked' && kind !== 'empty') || statsOf(path) !== undefined
}

export function isPipeOrSocket(path: string): boolean {
  const stats = statsOf(path)
  return stats?.isFIFO() === true || stats?.isSocket() === true
}
