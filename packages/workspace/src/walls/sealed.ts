import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isWithin } from '../paths/place.ts'
import { namesIn, statsOf } from './entries.ts'
import { type HostMount, hostMounts } from './host-mounts.ts'
import { canBeLayered } from './layers.ts'
import { type Mount, sourceOf } from './mount.ts'
import { canReach, type CommandRights } from './command-rights.ts'
import type { SessionFolders } from './session-folders.ts'

/** Made of packages that root alone changes, of nothing on a disk, or of what commands have in another form. */
const noPlaceForSockets: ReadonlySet<string> = new Set(
  '/bin /boot /dev /etc /lib /lib32 /lib64 /libx32 /lost+found /proc /run /sbin /snap /sys /tmp /usr'.split(' '),
)
/** Each of them is a mount, for every command. */
const mostSealed = 64

/**
 * Folders of this machine that commands can see through an overlay. A socket is found by its inode, and through an overlay
 * every file has another one: nobody answers there, whatever the socket is called and whenever it was made. An overlay
 * shows no mounts below it, so around those it takes the folders beside them.
 */
export function foldersToSeal(): readonly string[] {
  const points = hostMounts().map(({ path }) => path)
  const found: string[] = []
  const pending = foldersIn('/').filter((path) => !noPlaceForSockets.has(path))
  for (let path = pending.shift(); path !== undefined; path = pending.shift()) {
    if (!hasBelow(points, path)) found.push(path)
    else pending.push(...foldersIn(path))
  }
  return found.filter(canBeLayered).slice(0, mostSealed)
}

function foldersIn(folder: string): readonly string[] {
  return namesIn(folder)
    .map((name) => join(folder, name))
    .filter((path) => statsOf(path)?.isDirectory() === true)
}

function hasBelow(points: readonly string[], path: string): boolean {
  return points.some((point) => point !== path && isWithin(path, point))
}

export interface Seals {
  readonly mounts: readonly Mount[]
  /** Lines for the table that `mount --all` reads, before all others. */
  readonly table: string
}

/** The overlays for a command: over those folders that hold something, that nothing else lies over, and that still can have one. */
export function sealsOver(
  sealable: readonly string[],
  mounts: readonly Mount[],
  { owner, folders, host }: { owner: CommandRights; folders: SessionFolders; host: readonly HostMount[] },
): Seals {
  const { made, none, layers, caches } = folders
  const points = host.map(({ path }) => path)
  const isOpen = (path: string) =>
    statsOf(path)?.isDirectory() === true &&
    namesIn(path).length > 0 &&
    canReach(owner, path) &&
    !hasBelow(points, path) &&
    !mounts.some((mount) => isWithin(mount.path, path))
  // What bubblewrap mounts from within such a folder must not be looked up through the seal.
  const isSource = (path: string) =>
    [...mounts.map(sourceOf), made, layers, caches].some((each) => isWithin(path, each))
  const sealed = sealable
    .filter(isOpen)
    .map((path, index) => ({ path, from: isSource(path) ? join(made, `sealed-${index}`) : path }))
  for (const { from } of sealed) if (!existsSync(from)) mkdirSync(from, { recursive: true })
  return {
    mounts: sealed.map((each) => ({ kind: 'sealed', ...each })),
    table: sealTable(sealed, none),
  }
}

/**
 * An overlay without anything to write to needs two folders below it, of which none may lie in the other: one is empty, and
 * on no disk.
 */
export function sealTable(sealed: readonly { readonly path: string; readonly from: string }[], none: string): string {
  if (sealed.length === 0) return ''
  const escaped = (text: string) => text.replaceAll(' ', '\\040')
  const overlays = sealed.map(
    ({ path, from }) => `overlay ${escaped(from)} overlay ${escaped(`lowerdir=${none}:${path}`)},userxattr 0 0\n`,
  )
  return [`tmpfs ${escaped(none)} tmpfs size=4k 0 0\n`, ...overlays].join('')
}
