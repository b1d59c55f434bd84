import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import { assertSessionId } from '@loader/session-core'

/** Where what is kept of one project lies. None of these folders needs to be there. */
export interface ProjectFolders {
  /** All of it. */
  readonly folder: string
  readonly sessions: string
  /** The git repository with the trees of the workspace. */
  readonly trees: string
  readonly caches: string
  /** What one session needs while it works: its own /tmp, layers over packages, files set aside. */
  scratch(sessionId: string): string
}

export function foldersIn(folder: string): ProjectFolders {
  return {
    folder,
    sessions: join(folder, 'sessions'),
    trees: join(folder, 'files.git'),
    caches: join(folder, 'caches'),
    scratch: (sessionId) => {
      assertSessionId(sessionId)
      return join(folder, 'scratch', sessionId)
    },
  }
}

const longestName = 40

/**
 * The name of the folder for a project: for people its own name, for uniqueness a hash of its real path. Without dots,
 * which Windows reads into names such as `con.x`.
 */
export function folderNameOf(root: string): string {
  const readable = basename(root)
    .replaceAll(/[^A-Za-z0-9_]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, longestName)
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 10)
  return `${readable === '' ? 'project' : readable}-${hash}`
}
