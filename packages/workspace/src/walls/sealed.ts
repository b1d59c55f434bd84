import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isWithin } from '../paths/place.ts'
import { namesIn, statsOf } from './entries.ts'
import { type HostMount, hostMounts } from './host-mounts.ts'
import { canBeLayered } from './layers.ts'
import { type Mount, sourceOf } from './mount.ts'
import { canReach, type CommandRights } from './command-rights.ts'
import type { SessionFolders } from './session-folders.ts'

/**
 * File systems where no seal is needed: only root changes them, they have no disk, or commands see another instance.
 */
const noPlaceForSockets: ReadonlySet<string> = new Set(
  '/bin /boot /dev /etc /lib /lib32 /lib64 /libx32 /lost+found /proc /run /sbin /snap /sys /tmp /usr'.split(' '),
)
/** The limit of seals, because each is a mount for every command. */
const mostSealed = 64

/**
 * Folders of this machine to show to commands through an overlay. Connecting finds a socket by its inode, and files
 * have other inodes in an overlay: sockets do not answer there, whatever their name and age. An overlay hides the
 * mounts below it, so where a folder contains mounts, the folders beside them are used.
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
  /** Lines for the start of the `mount --all` table. */
  readonly table: string
}

/**
 * The overlays for a command: over those folders that are not empty, not covered by another mount, and still suitable.
 */
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
  // A mount whose source lies in such a folder must not read it through the seal.
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

/** A read-only overlay needs two lower folders, neither inside of the other: the second is an empty one in memory. */
export function sealTable(sealed: readonly { readonly path: string; readonly from: string }[], none: string): string {
  if (sealed.length === 0) return ''
  const escaped = (text: string) => text.replaceAll(' ', '\\040')
  const overlays = sealed.map(
    ({ path, from }) => `overlay ${escaped(from)} overlay ${escaped(`lowerdir=${none}:${path}`)},userxattr 0 0\n`,
  )
  return [`tmpfs ${escaped(none)} tmpfs size=4k 0 0\n`, ...overlays].join('')
}
