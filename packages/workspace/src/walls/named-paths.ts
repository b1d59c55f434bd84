import { basename, dirname } from 'node:path'
import { isWithin } from '../paths/place.ts'
import { childVariables, withheldVariables } from '../processes/child-variables.ts'
import { credentialsIn } from './credentials.ts'
import { realOf, statsOf } from './entries.ts'
import { accessUnder, type Mount } from './mount.ts'
import { canReach, type CommandRights } from './command-rights.ts'
import type { WallsPlace } from './walls.ts'

/** Folders of the system. A variable that names a path in them does not name anything private. */
const system: readonly string[] = '/usr /bin /sbin /lib /lib32 /lib64 /nix /proc /sys /dev /snap'.split(' ')
/** Folders in which root keeps public files. */
const ofRoot: readonly string[] = ['/etc', '/opt', '/srv', '/var']
/** Variables that name folders of the command itself, not tools. */
const notTools: ReadonlySet<string> = new Set(['HOME', 'PWD', 'OLDPWD', 'TMPDIR', 'TMP', 'TEMP'])

/**
 * Mounts for paths that variables of the user name. A variable that commands do not get names something private: the
 * file or folder is hidden. One that they get names a tool: only the private files in it are hidden. Paths that are
 * hidden already or belong to the workspace are left as they are.
 */
export function namedMounts(
  place: WallsPlace,
  root: string,
  owner: CommandRights,
  mounts: readonly Mount[],
): readonly Mount[] {
  const options = {
    ...(place.variables !== undefined && { variables: place.variables }),
    ...(place.passVariables !== undefined && { passVariables: place.passVariables }),
  }
  const passed = Object.entries(childVariables(options)).filter(([name]) => !notTools.has(name))
  const used = pathsIn(passed)
  const isVisible = (path: string) => {
    const access = accessUnder(mounts, path)
    return access.kind !== 'hidden' && access.real === path
  }
  const isOutside = (path: string) =>
    path !== '/' && !isWithin(root, path) && !system.some((each) => isWithin(each, path)) && canReach(owner, path)
  const withheld = pathsIn(Object.entries(withheldVariables(options))).filter((path) => !used.includes(path))
  const hidden = withheld.filter((path) => isOfUser(path, owner)).flatMap((path) => hiding(path, [...used, root]))
  const inTools = used.flatMap((path) => privateIn(toolAround(path)))
  return [...hidden, ...inTools].filter(({ path }) => isOutside(path) && isVisible(path))
}

/** The existing real paths in values: alone, in a list, or after `=` in an option. */
function pathsIn(variables: readonly (readonly [string, string])[]): readonly string[] {
  const written = variables.flatMap(([, value]) => {
    const parts = value.split(':').filter((part) => part !== '')
    if (parts.every((part) => part.startsWith('/'))) return parts
    return [...value.matchAll(/=(\/[^\s:;,"']+)/g)].map(([, path = '']) => path)
  })
  return [...new Set(written.flatMap((path) => realOf(path) ?? []))]
}

function isOfUser(path: string, owner: CommandRights): boolean {
  const stats = statsOf(path)
  if (stats === undefined) return false
  if ((stats.mode & 0o004) === 0) return true
  if (stats.uid !== owner.uid) return false
  return owner.uid !== 0 || !ofRoot.some((each) => isWithin(each, path))
}

function hiding(path: string, needed: readonly string[]): readonly Mount[] {
  const stats = statsOf(path)
  if (stats?.isFile() === true) return (stats.mode & 0o111) === 0 ? [{ kind: 'masked', path }] : []
  if (stats?.isDirectory() !== true) return []
  return needed.some((each) => isWithin(path, each)) ? masksIn(path) : [{ kind: 'empty', path }]
}

/** The folder of a tool, given its folder of programs. */
function toolAround(path: string): string {
  const above = dirname(path)
  return /^(?:s?bin|shims)$/.test(basename(path)) && dirname(above) !== '/' ? above : path
}

/** A single file is judged by its mode alone: certificates have the names of keys. */
function privateIn(path: string): readonly Mount[] {
  if (system.some((each) => isWithin(each, path)) || path === '/') return []
  const stats = statsOf(path)
  if (stats?.isDirectory() === true) return masksIn(path)
  return stats?.isFile() === true && (stats.mode & 0o115) === 0 ? [{ kind: 'masked', path }] : []
}

export function masksIn(folder: string, mayBePrivate?: (path: string) => boolean): readonly Mount[] {
  const { files, folders } = credentialsIn(folder, mayBePrivate)
  return [
    ...folders.map((path) => ({ kind: 'empty' as const, path })),
    ...files.map((path) => ({ kind: 'masked' as const, path })),
  ]
}
