import { existsSync } from 'node:fs'
import { joinStores, type SessionStore } from '@loader/session-core'
import { FileSessionStore } from '@loader/session-fs'
import { keepProject } from '@loader/workspace'
import type { Places } from '../places/places.ts'
import type { Settings } from '../settings/settings.ts'

/**
 * The store for the sessions of a project: in the user's state folder, and in the project itself. Existing sessions
 * stay where they are; the setting decides about new ones. No other code may choose the folder.
 */
export function storeOf(
  { root, standing, project }: Pick<Places, 'root' | 'standing' | 'project'>,
  newOnes: NonNullable<Settings['sessions']> = 'state',
): SessionStore {
  const found = project()
  const options = standing === 'there' ? { beforeClaim: () => keepProject(found) } : {}
  const inState = new FileSessionStore({ directory: found.folders.sessions }, options)
  const inProject = new FileSessionStore({ root }, options)
  const [first, second] = newOnes === 'state' ? [inState, inProject] : [inProject, inState]
  return existsSync(second.directory) ? joinStores(first, second) : first
}
