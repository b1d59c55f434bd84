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

/** The environment in which the state folder is looked for. */
export interface ProjectsOptions {
  /** The environment that says where the state folder is, and where git is. That of this process by default. */
  readonly variables?: EnvironmentVariables
}

/** A project, and where what is kept of it lies. */
export interface Project {
  /** Its real path. */
  readonly root: string
  readonly folders: ProjectFolders
  readonly standing: ProjectStanding
}

/** Whether the state folder knows the project, also from another place. */
export type ProjectStanding =
  /** Nothing is kept of it yet. */
  | { readonly kind: 'new' }
  | { readonly kind: 'known' }
  /** It was last seen elsewhere. */
  | { readonly kind: 'moved'; readonly from: string }

/** The project in a folder, as the state folder knows it. Reads only: `keepProject` makes it known. */
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
  // All that is read in the usual case, in which nothing has moved.
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
      // A folder of this name whose record is missing or damaged can belong to this path alone.
      if (usually.kind !== 'read' && existsSync(usual)) return known(usual)
      return { root: here.root, folders: foldersIn(free(usual)), standing: { kind: 'new' } }
    default:
      return found satisfies never
  }
}

/** A project of which something is kept, wherever it may be now. */
export interface KnownProject {
  readonly folders: ProjectFolders
  /** Where it is, or was last; undefined when its `project.json` cannot be read. */
  readonly root: string | undefined
  /** Whether it is there. */
  readonly isThere: boolean
}

/** Every project of which something is kept. */
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

/** The folders in which projects were last, as they are written down; nothing is looked up. */
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

/** The name itself, or with a number when a project that has moved away still has it. */
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
