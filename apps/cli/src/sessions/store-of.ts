import { existsSync } from 'node:fs'
import { joinStores, type SessionStore } from '@loader/session-core'
import { FileSessionStore } from '@loader/session-fs'
import { keepProject } from '@loader/workspace'
import type { Places } from '../places/places.ts'
import { markSessionsElsewhere } from '../places/sessions-elsewhere.ts'
import type { Settings } from '../settings/settings.ts'
import { type Asked, storeAddress } from './asked-store.ts'
import type { StoreAddress } from '../settings/store-address.ts'

type Project = Pick<Places, 'root' | 'standing' | 'project'>

/**
 * Where the sessions of a project are kept: in files, or in the database that the command line, the environment or the
 * settings name. The only place that decides.
 */
export async function storeOf(asked: Asked & { readonly places: Places }): Promise<SessionStore> {
  const address = await storeAddress(asked)
  return address === undefined ? filesOf(asked.places) : databaseOf(address, asked.places)
}

/**
 * In the state folder of the user, and in the project itself. Each session goes on where it is; the setting says where new
 * ones go.
 */
export function filesOf(
  { root, standing, project }: Project,
  newOnes: NonNullable<Settings['sessions']> = 'state',
): SessionStore {
  const found = project()
  const options = standing === 'there' ? { beforeClaim: () => keepProject(found) } : {}
  const inState = new FileSessionStore({ directory: found.folders.sessions }, options)
  const inProject = new FileSessionStore({ root }, options)
  const [first, second] = newOnes === 'state' ? [inState, inProject] : [inProject, inState]
  return existsSync(second.directory) ? joinStores(first, second) : first
}

/** The driver is loaded for it alone. */
export async function databaseOf(address: StoreAddress, { root, standing, project }: Project): Promise<SessionStore> {
  const { databaseStore } = await import('./database-store.ts')
  const beforeClaim = () => {
    if (standing !== 'there') return
    keepProject(project())
    markSessionsElsewhere(project().folders)
  }
  return databaseStore(address, { root, beforeClaim })
}
