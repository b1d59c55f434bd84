import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { FileSessionStore } from '@loader/session-fs'
import { findProject, type Project } from '@loader/workspace'

/** The state folder of a user in this project: elsewhere, so that history the work changes nothing that is worked on. */
export function stateFolderOf(root: string): string {
  return join(process.env['LOADER_STATE'] ?? tmpdir(), basename(root))
}

/** Where the command keeps the sessions of a project. */
export function storeIn(root: string, state = stateFolderOf(root)): FileSessionStore {
  return new FileSessionStore({ directory: projectIn(root, state).folders.sessions })
}

/** The project as the command knows it. */
export function projectIn(root: string, state = stateFolderOf(root)): Project {
  return findProject(root, { variables: { LOADER_STATE: state } })
}
