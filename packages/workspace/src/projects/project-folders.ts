import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import { assertSessionId } from '@loader/session-core'

/** The folders in which the records of one project are kept. None of them has to exist. */
export interface ProjectFolders {
  /** The folder that contains all others. */
  readonly folder: string
  readonly sessions: string
  /** The git repository with the trees of the workspace. */
  readonly trees: string
  readonly caches: string
  /** The working files of one session: its /tmp, layers over packages, files set aside. */
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
 * The name of the folder for a project: its own name, for people, and a hash of its real path, so that it is unique.
 * Without dots, because Windows treats names such as `con.x` specially.
 */
export function folderNameOf(root: string): string {
  const readable = basename(root)
    .replaceAll(/[^A-Za-z0-9_]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, longestName)
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 10)
  return `${readable === '' ? 'project' : readable}-${hash}`
}
