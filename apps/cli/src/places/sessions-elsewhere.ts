import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProjectFolders } from '@loader/workspace'

/**
 * Says that sessions of this project lie in a database. The files of this machine do not tell which trees those sessions
 * name, so no tree is forgotten when a session is deleted.
 */
export function markSessionsElsewhere({ folder }: Pick<ProjectFolders, 'folder'>): void {
  if (hasSessionsElsewhere({ folder })) return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(markIn(folder), 'Sessions of this project are kept in a database. No tree of its files is forgotten.\n')
}

export function hasSessionsElsewhere({ folder }: Pick<ProjectFolders, 'folder'>): boolean {
  return existsSync(markIn(folder))
}

function markIn(folder: string): string {
  return join(folder, 'sessions-elsewhere')
}
