import { isWithin } from '../paths/place.ts'
import type { HostMount } from './host-mounts.ts'
import { lastOver, type Mount, sourceOf, type Stands } from './mount.ts'

/** The mounts of a command, split by the program that makes them. */
export interface Divided {
  /** Lines of the table for `mount --all`, which runs before bubblewrap. */
  readonly table: string
  /** The mounts left for bubblewrap. */
  readonly over: readonly Mount[]
}

export interface Below {
  readonly host: readonly HostMount[]
  /** The paths over which the table mounts overlays, after the mounts below them. */
  readonly overlaid: readonly string[]
  /** Paths that must stay writable for later mounts. */
  readonly used: readonly string[]
  readonly stands: Stands
}

/**
 * Splits the mounts. Bubblewrap reads the list of all mounts again for each one that it makes, so forty take three
 * times as long as twenty. Mounts below a path that bubblewrap binds to itself are carried along with it, so they can
 * be made before, which takes a tenth of the time.
 */
export function divide(mounts: readonly Mount[], below: Below): Divided {
  const written = mounts.flatMap((mount) => (isWritable(mount) ? sourceOf(mount) : []))
  const all = { ...below, used: [...below.used, ...written] }
  const early = mounts.map((mount, index) => lineOf(mount, mounts.slice(0, index), mounts.slice(index + 1), all))
  return {
    table: early.filter((line) => line !== undefined).join(''),
    over: mounts.filter((_, index) => early[index] === undefined),
  }
}

function lineOf(
  mount: Mount,
  before: readonly Mount[],
  after: readonly Mount[],
  { host, overlaid, used, stands }: Below,
): string | undefined {
  const { kind, path } = mount
  // The overlay of such a seal has its own line.
  if (kind === 'sealed' && mount.from === path) return ''
  if (kind !== 'guarded' && kind !== 'writable' && kind !== 'masked') return undefined
  const from = kind === 'masked' ? stands.emptyFile : path
  if (!fitsTable(path) || !fitsTable(from)) return undefined
  if (!isCarried(mount, lastOver(before, path)) || after.some((each) => isWithin(each.path, path))) return undefined
  // `mount --all` skips paths that are mounted already, and of several read-only mounts makes only the uppermost.
  const isInTheWay = (each: string) => each === path || (kind === 'guarded' && isWithin(path, each))
  if (host.some((each) => isInTheWay(each.path))) return undefined
  if (kind === 'guarded' && used.some((each) => isWithin(path, each))) return undefined
  if (overlaid.some((each) => isInTheWay(each) || isWithin(each, path))) return undefined
  const options = kind === 'writable' ? ['rbind'] : ['bind', 'ro', ...keptOptions(host, from)]
  return `${from} ${path} none ${options.join(',')} 0 0\n`
}

function isWritable(mount: Mount): boolean {
  return mount.kind === 'writable' || (mount.kind === 'placed' && mount.access === 'writable')
}

/** Whether bubblewrap's mount at or above the path carries earlier mounts along. */
function isCarried({ kind, path }: Mount, over: Mount | undefined): boolean {
  if (over === undefined || (over.kind === 'sealed' && over.from === over.path)) return kind !== 'writable'
  if (over.path === path) return false
  // A read-only mount makes everything in it read-only.
  if (kind === 'writable') return over.kind === 'writable'
  return over.kind === 'writable' || over.kind === 'guarded' || over.kind === 'readonly'
}

/** Whether a path can be written in the table without escapes; others are left to bubblewrap. */
function fitsTable(path: string): boolean {
  return !/[\s\\"#,]/.test(path)
}

/** Options that must be kept: without them the kernel refuses to remount a foreign mount read-only. */
const lockedOptions: ReadonlySet<string> = new Set(['nosuid', 'nodev', 'noexec', 'noatime', 'nodiratime'])

function keptOptions(host: readonly HostMount[], path: string): readonly string[] {
  const holding = host.filter((each) => isWithin(each.path, path))
  const length = Math.max(...holding.map((each) => each.path.length))
  // Of several mounts at one path only the last is visible.
  return (
    holding.findLast((each) => each.path.length === length)?.options.filter((each) => lockedOptions.has(each)) ?? []
  )
}
