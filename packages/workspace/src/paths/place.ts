import { type BigIntStats, realpathSync, statSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { isGitFolder, isLoaderFolder } from './folder-names.ts'
import { codeOf } from './system-errors.ts'
import { type PathStep, walk } from './walk.ts'

/** The result of resolving a path, including its symbolic links. */
export interface Place {
  readonly kind: 'place'
  /** The real path; the last parts need not exist. */
  readonly path: string
  /** Relative to the root with forward slashes if inside of it, otherwise the real path. */
  readonly shown: string
  readonly inside: boolean
  /** Lies in a git folder, whose files can make git run commands. Changes there always need permission. */
  readonly guarded: boolean
  readonly entry: 'file' | 'folder' | 'absent'
}

/** A path that tools must not use, or that cannot be reached. */
export interface RefusedPlace {
  readonly kind: 'refused'
  readonly why: string
}

/** The root as the system knows it, with no symbolic link in it. */
export function realRoot(root: string): string {
  return realpathSync.native(root)
}

/**
 * Resolves a path, absolute or relative to the root. The answer can be outdated at once: open the place with
 * `openFolder`, which detects links swapped in since.
 */
export function resolvePlace(root: string, path: string): Place | RefusedPlace {
  const top = rootNow(root)
  if (top === undefined) return refused(`The workspace ${root} is not there any more.`)
  const fault = faultOf(path, top)
  if (fault !== undefined) return refused(fault)
  const way = walk(resolvable(top, path))
  if (way.kind === 'lost') return refused(way.why)
  const inside = isWithin(top, way.path)
  const below = namesBelow(inside ? top : '', way.path)
  const why = forbidden(top, below, [...way.steps.map((step) => step.path), way.path], way.steps)
  if (why !== undefined) return refused(`${path}: ${why}`)
  const { stats } = way
  if (stats !== undefined && !stats.isFile() && !stats.isDirectory()) {
    return refused(`${path} is neither a file nor a folder (a device, a pipe or a socket). Tools leave those alone.`)
  }
  if (!stats?.isDirectory() && /[/\\]\.{0,2}$/.test(sep === '/' ? path.replaceAll('\\', '_') : path)) {
    return refused(`There is no folder ${path}.`)
  }
  return {
    kind: 'place',
    path: way.path,
    shown: inside ? below.join('/') || '.' : way.path,
    inside,
    guarded: below.some(isGitFolder) || leadsThrough(way.steps, join(top, '.git')),
    entry: stats === undefined ? 'absent' : stats.isDirectory() ? 'folder' : 'file',
  }
}

/** Whether a real path is the folder or lies in it. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

function rootNow(root: string): string | undefined {
  try {
    return realRoot(root)
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}

function refused(why: string): RefusedPlace {
  return { kind: 'refused', why }
}

function faultOf(path: string, top: string): string | undefined {
  if (path.trim() === '') return 'The path is empty. Name a file, relative to the workspace or absolute.'
  if (path.includes('\0')) return 'The path contains a NUL character. No file has such a name.'
  if (/^~[^/\\]*([/\\]|$)/.test(path) && statsOf(join(top, path.split(/[/\\]/)[0] ?? '')) === undefined) {
    return `${path}: ~ is not replaced by a home folder here. Give an absolute path, or one relative to the workspace.`
  }
  return undefined
}

/** Joined as text: `path.resolve` would drop `link/..`, which the system resolves through the link. */
function resolvable(top: string, path: string): string {
  return resolve(path) === path || path.startsWith(sep)
    ? path
    : sep === '\\'
      ? resolve(top, path)
      : `${top}${sep}${path}`
}

function namesBelow(folder: string, path: string): string[] {
  return relative(folder === '' ? sep : folder, path)
    .split(sep)
    .filter((name) => name !== '')
}

function forbidden(
  top: string,
  names: readonly string[],
  visited: readonly string[],
  steps: readonly PathStep[],
): string | undefined {
  if (names.some(isLoaderFolder) || leadsThrough(steps, join(top, '.loader'))) {
    return 'it belongs to the records of the sessions (.loader), which no tool may read or change.'
  }
  if (visited.some((path) => /^\/proc\/(self|thread-self|\d+)(\/|$)/.test(path))) {
    return 'it shows the insides of a running process, which no tool may read or change.'
  }
  if (sep === '\\' && names.some((name) => /:|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name))) {
    return 'it names a device or a stream, not a file.'
  }
  return undefined
}

/**
 * Compared by identity: through a mount or another spelling, a folder can have a name that does not show what it is.
 */
function leadsThrough(steps: readonly PathStep[], folder: string): boolean {
  const stats = statsOf(folder)
  return stats !== undefined && steps.some((step) => step.dev === stats.dev && step.ino === stats.ino)
}

function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}
