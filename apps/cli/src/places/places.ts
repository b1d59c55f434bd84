import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { LoaderError, SessionId } from '@loader/session-core'
import { hasSession, sessionsDirectory } from '@loader/session-fs'
import {
  findProject,
  homeFolder,
  keepProject,
  type KnownProject,
  knownProjects,
  knownRoots,
  type Project,
  type ProjectFolders,
} from '@loader/workspace'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import type { Console } from '../console/console.ts'
import { printNotes } from '../screen/notes.ts'

/** The folders of one start of the command. */
export interface Places {
  /** The folder that the command works in. */
  readonly folder: string
  /** The project that this folder belongs to. */
  readonly root: string
  /** The user's own settings, rules and trust. */
  readonly config: string
  /** `gone` if the project was removed: its sessions can be read, but not continued. */
  readonly standing: 'there' | 'gone'
  /** Where state of the project is kept; looked up on first use. */
  readonly project: () => Project
}

export function placesOf(given: Given, console: Console): Places {
  const { environment, folder } = console
  const wanted = given.value('cd')
  const here = wanted === undefined ? folder : resolve(folder, wanted)
  if (!existsSync(here)) throw new UsageError(`There is no folder ${here}.`, given.command.name)
  if (!statSync(here).isDirectory()) throw new UsageError(`${here} is not a folder.`, given.command.name)
  const real = realpathSync(here)
  const root = projectRoot(real, () => rootsKept(environment))
  let project: Project | undefined
  return {
    folder: real,
    root,
    config: configFolder(environment),
    standing: 'there',
    project: () => (project ??= projectAt(root, console)),
  }
}

/**
 * The same for the project that a session belongs to. The command still works in its own folder, so that relative paths
 * on the command line keep their meaning.
 */
export function placesOfSession(given: Given, console: Console, wanted: string | undefined): Places {
  const here = placesOf(given, console)
  if (wanted === undefined || wanted === 'latest' || !SessionId.safeParse(wanted).success) return here
  const { root, folders } = here.project()
  if (sessionFolders(root, folders).some((folder) => hasSession(folder, wanted))) return here
  const found = knownProjects({ variables: console.environment }).find((one) =>
    foldersOfKnown(one).some((folder) => hasSession(folder, wanted)),
  )
  if (found === undefined) return here
  const there = found.root ?? found.folders.folder
  printNotes(console, [`Session ${wanted} is of another project: ${there}${found.isThere ? '' : ', which is gone'}`])
  const project: Project = { root: there, folders: found.folders, standing: { kind: 'known' } }
  return { ...here, root: there, standing: found.isThere ? 'there' : 'gone', project: () => project }
}

/** The folders for sessions of a project, whether or not they exist. */
export function sessionFolders(root: string, folders: ProjectFolders): readonly string[] {
  return [folders.sessions, sessionsDirectory({ root })]
}

/** The same for a project that may be gone: then a folder at its path belongs to another project. */
export function foldersOfKnown({ root, folders, isThere }: KnownProject): readonly string[] {
  return root !== undefined && isThere ? sessionFolders(root, folders) : [folders.sessions]
}

/** Records the new place of a project that was moved, so that the note about it appears only once. */
function projectAt(root: string, console: Console): Project {
  const project = findProject(root, { variables: console.environment })
  if (project.standing.kind !== 'moved') return project
  printNotes(console, [`This project was in ${project.standing.from} before. Its sessions are here again.`])
  try {
    keepProject(project, { variables: console.environment })
  } catch (error) {
    // A command that only reads works without this record.
    if (!LoaderError.is(error)) throw error
    printNotes(console, [error.message])
  }
  return project
}

/**
 * The nearest parent folder with `.loader` or a repository; else the nearest one with stored sessions; else the folder
 * itself.
 */
export function projectRoot(folder: string, rootsKept: () => ReadonlySet<string> = () => new Set()): string {
  const marked = nearest(folder, isProject)
  if (marked !== undefined) return marked
  const kept = rootsKept()
  return nearest(folder, (place) => kept.has(place)) ?? folder
}

function nearest(folder: string, isOne: (place: string) => boolean): string | undefined {
  for (let place = folder; ; place = dirname(place)) {
    if (isOne(place) && (place === folder || mayHoldOthers(place))) return place
    if (dirname(place) === place) return undefined
  }
}

/** Without a folder for state there are no stored sessions; commands that need them report that. */
function rootsKept(environment: Console['environment']): ReadonlySet<string> {
  try {
    return knownRoots({ variables: environment })
  } catch (error) {
    if (LoaderError.is(error)) return new Set()
    throw error
  }
}

function isProject(folder: string): boolean {
  return existsSync(join(folder, '.loader')) || existsSync(join(folder, '.git'))
}

/**
 * Whether a folder with `.loader` or `.git` may be the project of its subfolders. The home folder may not, and neither
 * may a world-writable folder such as /tmp, where another user may have created it.
 */
function mayHoldOthers(folder: string): boolean {
  return folder !== homeFolder() && (process.platform === 'win32' || (statSync(folder).mode & 0o002) === 0)
}

/** By the XDG rules; LOADER_CONFIG_DIR overrides them. A relative XDG path is ignored. */
export function configFolder(environment: Console['environment']): string {
  const own = environment['LOADER_CONFIG_DIR']
  if (own !== undefined && own !== '') return resolve(own)
  const xdg = environment['XDG_CONFIG_HOME']
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, 'loader')
  const home = homeFolder()
  if (home !== undefined) return join(home, '.config', 'loader')
  throw new LoaderError(
    'invalid_config',
    'There is no place for your own settings: the system knows no home folder of yours. Set HOME or LOADER_CONFIG_DIR.',
  )
}
