import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { LoaderError } from '@loader/session-core'
import { codeOf, meaningOf } from '../paths/system-errors.ts'
import { firstCommitOf } from './first-commit.ts'
import { folderNameOf, foldersIn, type ProjectFolders } from './project-folders.ts'
import { isSameFolder, placeAt, placeFor } from './project-place.ts'
import { readRecord } from './project-record.ts'
import { type KeptProject, latestOf, type ProjectLookup, recognise, standingPlace } from './recognise.ts'
import { type EnvironmentVariables, stateFolder } from './state-folder.ts'

/** The environment that determines the state folder. */
export interface ProjectsOptions {
  /** The environment variables that name the state folder and the path of git. Default: those of this process. */
  readonly variables?: EnvironmentVariables
}

/** A project, and the folders in which its records are kept. */
export interface Project {
  /** Its real path. */
  readonly root: string
  readonly folders: ProjectFolders
  readonly standing: ProjectStanding
}

/** Whether the state folder has records of the project, also from another place. */
export type ProjectStanding =
  /** There are no records of it yet. */
  | { readonly kind: 'new' }
  | { readonly kind: 'known' }
  /** It was last seen at another path. */
  | { readonly kind: 'moved'; readonly from: string }

/** The project in a folder, as recorded in the state folder. Reads only: `keepProject` records it. */
export function findProject(root: string, { variables = process.env }: ProjectsOptions = {}): Project {
  const here = placeFor(root)
  const projects = join(stateFolder(variables), 'projects')
  const usual = join(projects, folderNameOf(here.root))
  const usually = readRecord(usual)
  const known = (folder: string): Project => ({
    root: here.root,
    folders: foldersIn(folder),
    standing: { kind: 'known' },
  })
  // The usual case, in which the project has not moved: only its own record is read.
  if (usually.kind === 'read') {
    const latest = latestOf(usually.record)
    if (latest.root === here.root && isSameFolder(latest, here)) return known(usual)
  }
  const found = recognise(here, keptIn(projects), lookWith(variables))
  switch (found.kind) {
    case 'known':
      return known(found.project.folder)
    case 'moved':
      return {
        root: here.root,
        folders: foldersIn(found.project.folder),
        standing: { kind: 'moved', from: found.from },
      }
    case 'new':
      // A folder of this name whose record is missing or damaged can only belong to this path.
      if (usually.kind !== 'read' && existsSync(usual)) return known(usual)
      return { root: here.root, folders: foldersIn(free(usual)), standing: { kind: 'new' } }
    default:
      return found satisfies never
  }
}

/** A project with records, wherever it may be now. */
export interface KnownProject {
  readonly folders: ProjectFolders
  /** Its current or last path; undefined when its `project.json` cannot be read. */
  readonly root: string | undefined
  /** Whether that path still exists. */
  readonly isThere: boolean
}

/** Every project with records. */
export function knownProjects({ variables = process.env }: ProjectsOptions = {}): readonly KnownProject[] {
  const look = lookWith(variables)
  return foldersBelow(join(stateFolder(variables), 'projects')).map((folder) => {
    const read = readRecord(folder)
    const folders = foldersIn(folder)
    if (read.kind !== 'read') return { folders, root: undefined, isThere: false }
    const standing = standingPlace({ folder, record: read.record }, look)
    return { folders, root: standing ?? latestOf(read.record).root, isThere: standing !== undefined }
  })
}

/** The last recorded paths of all projects, without checking whether they still exist. */
export function knownRoots({ variables = process.env }: ProjectsOptions = {}): ReadonlySet<string> {
  const kept = keptIn(join(stateFolder(variables), 'projects'))
  return new Set(kept.map(({ record }) => latestOf(record).root))
}

function keptIn(projects: string): KeptProject[] {
  return foldersBelow(projects).flatMap((folder) => {
    const read = readRecord(folder)
    return read.kind === 'read' ? [{ folder, record: read.record }] : []
  })
}

function foldersBelow(projects: string): string[] {
  try {
    const entries = readdirSync(projects, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(projects, name))
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT') return []
    if (code === undefined) throw error
    throw new LoaderError(
      'storage_refused',
      `What is kept of your projects cannot be read: ${projects}: ${meaningOf(error)}. Set LOADER_STATE to a folder of yours.`,
      { cause: error },
    )
  }
}

/** The name itself, or with a number when a project that has moved away still uses it. */
function free(usual: string): string {
  for (let number = 1; ; number += 1) {
    const folder = number === 1 ? usual : `${usual}-${number}`
    if (!existsSync(folder)) return folder
  }
}

function lookWith(variables: EnvironmentVariables): ProjectLookup {
  const commits = new Map<string, string | undefined>()
  return {
    folderAt: placeAt,
    firstCommitOf(root) {
      if (!commits.has(root)) commits.set(root, firstCommitOf(root, variables))
      return commits.get(root)
    },
    lastUsed: (folder) => statSync(foldersIn(folder).sessions, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  }
}
