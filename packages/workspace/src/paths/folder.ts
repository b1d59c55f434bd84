import { existsSync } from 'node:fs'
import { holdFolder, holdMadeFolder } from './held-folder.ts'
import { nameFolder, nameMadeFolder } from './named-folder.ts'

/**
 * A folder that is held, so that what is done in it is done there, even if another folder has taken its name since.
 *
 * 1. `at` leads to an entry of this very folder. Only its last name can still be a symbolic link: open it with
 *    O_NOFOLLOW.
 * 2. A folder is opened by its real path, and no part of that may be a symbolic link by then.
 * 3. Where the system has no paths that lead through an open folder, its identity is compared instead, before each use
 *    and after the last one (`requireStanding`). Between the two a gap remains that only those systems have.
 */
export interface Folder extends Disposable {
  readonly path: string
  at(name: string): string
  /** Throws when the folder is no longer found under its path: what was done in it happened somewhere else. */
  requireStanding(): void
  /** Makes the names in it durable. */
  sync(): Promise<void>
}

/** How a folder is held; `descriptors` where the system can. */
export type Holding = 'descriptors' | 'names'

/** How `openFolder` holds folders on this system unless it is told: by descriptor where Linux allows it. */
export const bestHolding: Holding =
  process.platform === 'linux' && existsSync('/proc/self/fd') ? 'descriptors' : 'names'

/** Opens a folder by its real path. */
export function openFolder(path: string, holding: Holding = bestHolding): Folder {
  return holding === 'descriptors' ? holdFolder(path) : nameFolder(path)
}

/** Opens a folder by its real path and makes what is missing on the way, durably. */
export function makeFolder(path: string, holding: Holding = bestHolding): Folder {
  return holding === 'descriptors' ? holdMadeFolder(path) : nameMadeFolder(path)
}
