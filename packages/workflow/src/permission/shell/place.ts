import type { ShellWord } from './shell-word.ts'

/** Where a command runs, as far as that is known. */
export interface Place {
  /** Real path of the workspace. */
  readonly root?: string
  /** The folder in it that paths start from. */
  readonly folder?: string
}

export type Whereabouts = 'inside' | 'top' | 'outside' | 'system' | 'device' | 'sink' | 'unknown'

/**
 * Where a path leads by its text alone: symbolic links are not seen here. `top` is the workspace as a whole, `sink` is
 * where output goes without a trace.
 */
export function whereIs(word: ShellWord, { root, folder = '' }: Place): Whereabouts {
  const { kind, value, start } = word
  if (kind === 'open') return openPath(start, value)
  if (value === '') return 'unknown'
  if (value.startsWith('~')) return 'outside'
  if (/^[A-Za-z]:[\\/]/.test(value)) return 'outside'
  if (value.startsWith('/')) return absolute(resolved(value), root)
  if (upwardGlob.test(value)) return 'unknown'
  const path = resolved(folder === '' ? value : `${folder}/${value}`)
  if (!isAbove(path)) return isEverything(path) ? 'top' : 'inside'
  return root === undefined ? 'outside' : absolute(resolved(`${root}/${path}`), root)
}

/** A path without `.`, `..` and doubled slashes, as far as its text says. */
export function resolved(path: string): string {
  const segments: string[] = []
  const isAbsolute = path.startsWith('/')
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') segments.push(segment)
    else if (segments.length > 0 && segments.at(-1) !== '..') segments.pop()
    else if (!isAbsolute) segments.push('..')
  }
  return (isAbsolute ? '/' : '') + segments.join('/')
}

const isAbove = (path: string): boolean => path === '..' || path.startsWith('../')
/** The folder itself, or all that is in it. */
const isEverything = (path: string): boolean => path === '' || /^(?:\*|\.\*)+$/.test(path)

/** Such globs can match `..` in older shells. */
const upwardGlob = /(?:^|\/)\.\.?[*?[]/

function openPath(start: string, text: string): Whereabouts {
  if (start.startsWith('/dev/fd/')) return 'sink'
  if (start.startsWith('/')) return isSystem(resolved(start)) ? 'system' : 'unknown'
  return start.startsWith('~') || /^\$\{?HOME\b/.test(text) ? 'outside' : 'unknown'
}

function absolute(path: string, root: string | undefined): Whereabouts {
  if (sinks.test(path)) return 'sink'
  if (disks.test(path)) return 'device'
  if (root !== undefined && root !== '/' && (path === root || path.startsWith(`${root}/`))) {
    return isEverything(path.slice(root.length + 1)) ? 'top' : 'inside'
  }
  return isSystem(path) ? 'system' : 'outside'
}

function isSystem(path: string): boolean {
  return path === '/' || (system.test(path) && !temporary.test(path))
}

const sinks = /^\/dev\/(?:null|zero|full|tty|stdin|stdout|stderr|fd\/\d+)$/
const disks = /^\/dev\/(?:[shvx]?v?d[a-z]+|nvme|mmcblk|disk|rdisk|mapper|md|loop|dm-|ram|mem|kmem|port)/
const system =
  /^\/(?:etc|usr|bin|sbin|lib\w*|boot|proc|sys|dev|var|opt|run|root|System|Library|Applications|private|\*)(?:\/|$)/
const temporary = /^\/(?:var\/tmp|var\/folders|private\/tmp|private\/var\/folders|dev\/shm)\//
