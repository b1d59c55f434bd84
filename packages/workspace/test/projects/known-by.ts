import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryWorkspace } from '@loader/test-harness'
import { findProject, keepProject, knownProjects, type Project } from '../../src/index.ts'
import { plainGit } from '../plain-git.ts'

/** A folder for projects beside the state folder of a user. */
export async function playground() {
  const top = await temporaryWorkspace()
  const { PATH = '' } = process.env
  const options = { variables: { PATH, LOADER_STATE: top.path('state') } }
  const find = (name: string): Project => findProject(top.path(name), options)
  return {
    top,
    options,
    find,
    path: (...parts: readonly string[]) => top.path(...parts),
    known: () => knownProjects(options),
    /** What working in a project does: it is made known, and a session is kept. */
    work(name: string, session: string): Project {
      const project = find(name)
      keepProject(project, options)
      mkdirSync(project.folders.sessions, { recursive: true })
      writeFileSync(join(project.folders.sessions, session), '')
      return project
    },
    sessions(name: string): string[] {
      const { folders } = find(name)
      try {
        return readdirSync(folders.sessions).toSorted()
      } catch {
        return []
      }
    },
    [Symbol.asyncDispose]: () => top.dispose(),
  }
}

/** A repository with one commit that no other repository has. */
export function repository(folder: string, says = folder): void {
  mkdirSync(folder, { recursive: true })
  plainGit(folder, ['init', '--quiet'])
  writeFileSync(join(folder, 'README'), says)
  plainGit(folder, ['add', '.'])
  plainGit(folder, ['commit', '--quiet', '--message', says])
}
