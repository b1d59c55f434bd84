import { homedir } from 'node:os'
import { LoaderError } from '@loader/session-core'
import { realRoot } from '../paths/place.ts'
import { realOf } from './entries.ts'
import { gitFolders } from './git-folders.ts'
import type { Mount } from './mount.ts'
import { canReach, commandRights } from './command-rights.ts'
import { PlaceIndex } from './place-index.ts'
import { makeFolders } from './session-folders.ts'
import { SettingsFiles } from './settings-files.ts'
import { hiddenAfterwards, type WallsSurroundings, surroundingMounts } from './surroundings.ts'
import type { WallsPlace } from './walls.ts'

/** What is computed once for a place and reused by its commands. */
export interface Prepared {
  readonly surroundings: WallsSurroundings
  readonly around: readonly Mount[]
  readonly after: readonly Mount[]
  readonly index: PlaceIndex
  readonly settings: SettingsFiles
  /** Paths that could not be set aside after earlier commands. */
  left: readonly string[]
  /** Named pipes made by its commands. Others belong to programs of the user. */
  readonly pipes: Set<string>
  /** The process that keeps the loopback which its commands share, by its mark. */
  loopback: string | undefined
}

export function prepare(place: WallsPlace): Prepared {
  const root = realRoot(place.root)
  if (root === '/')
    throw new LoaderError(
      'invalid_config',
      'The workspace is /, which no walls can be put around. Name a folder in it.',
    )
  const variables = place.variables ?? process.env
  const home = realOf(variables['HOME'] ?? homedir()) ?? homedir()
  const owner = commandRights(root)
  const folders = makeFolders(place, owner)
  const surroundings = { place, root, home, owner, git: gitFolders(root), folders }
  return {
    surroundings,
    around: surroundingMounts(surroundings).filter((mount) => mount.kind !== 'readonly' || canReach(owner, mount.path)),
    after: hiddenAfterwards(surroundings),
    index: new PlaceIndex(root),
    settings: new SettingsFiles(home),
    left: [],
    pipes: new Set(),
    loopback: undefined,
  }
}
