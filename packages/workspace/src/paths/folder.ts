import { existsSync } from 'node:fs'
import { holdFolder, holdMadeFolder } from './held-folder.ts'
import { nameFolder, nameMadeFolder } from './named-folder.ts'

/**
 * An open folder. Operations through it stay in that folder even if another folder takes its name.
 *
 * 1. `at` leads to an entry of this very folder. Only its last name can still be a symbolic link: open it with
 *    O_NOFOLLOW.
 * 2. A folder is opened by its real path, no part of which may have become a symbolic link.
 * 3. Where the system has no paths through an open folder, its identity is compared instead, before each use and after
 *    the last one (`requireStanding`). Only on those systems a gap remains between the two.
 */
export interface Folder extends Disposable {
  readonly path: string
  at(name: string): string
  /** Throws when the path no longer leads to this folder: then earlier operations may have reached another one. */
  requireStanding(): void
  /** Flushes the names in the folder to the disk. */
  sync(): Promise<void>
}

/** How a folder is held: by descriptor where the system can, otherwise by name and identity. */
export type Holding = 'descriptors' | 'names'

/** How `openFolder` holds folders by default: by descriptor where Linux allows it. */
export const bestHolding: Holding =
  process.platform === 'linux' && existsSync('/proc/self/fd') ? 'descriptors' : 'names'

/** Opens a folder by its real path. */
export function openFolder(path: string, holding: Holding = bestHolding): Folder {
  return holding === 'descriptors' ? holdFolder(path) : nameFolder(path)
}

/** Opens a folder by its real path, and durably creates missing parts of it. */
export function makeFolder(path: string, holding: Holding = bestHolding): Folder {
  return holding === 'descriptors' ? holdMadeFolder(path) : nameMadeFolder(path)
}
