import { isSameFolder, type ProjectPlace } from './project-place.ts'
import type { ProjectRecord } from './project-record.ts'

/** A project with records, and the folder that contains them. */
export interface KeptProject {
  readonly folder: string
  readonly record: ProjectRecord
}

/** Queries that are run only when they decide something. */
export interface ProjectLookup {
  folderAt(root: string): ProjectPlace | undefined
  firstCommitOf(root: string): string | undefined
  /** When its sessions last changed, as a number that grows with time. */
  lastUsed(folder: string): number
}

export type Recognised =
  | { readonly kind: 'new' }
  | { readonly kind: 'known'; readonly project: KeptProject }
  | { readonly kind: 'moved'; readonly project: KeptProject; readonly from: string }

/**
 * Decides which of the recorded projects a folder is.
 *
 * 1. The same folder is the same project, whatever its name and content are now.
 * 2. Another folder at the path where a project was last is that project made anew, unless its history began with
 *    another commit.
 * 3. A folder whose history began with the same commit is a project that has moved, unless a project with this history
 *    is still in its place: then the folder is a copy, and gets none of the original's records.
 */
export function recognise(here: ProjectPlace, kept: readonly KeptProject[], look: ProjectLookup): Recognised {
  const same = kept.find(({ record }) => record.places.some((place) => isSameFolder(place, here)))
  if (same !== undefined) return knownOrMoved(same, here, look)
  const remade = kept.find((project) => isRemade(project, here, look))
  if (remade !== undefined) return { kind: 'known', project: remade }
  return recogniseByHistory(here, kept, look)
}

/** Where a project is now; undefined when it is in none of its recorded places. */
export function standingPlace({ record }: KeptProject, look: ProjectLookup): string | undefined {
  const { places, firstCommit } = record
  return places.find((place, index) => {
    const there = look.folderAt(place.root)
    if (there === undefined) return false
    if (isSameFolder(place, there)) return true
    if (firstCommit !== undefined) return look.firstCommitOf(place.root) === firstCommit
    return index === 0
  })?.root
}

export function latestOf({ places }: ProjectRecord): ProjectPlace {
  return places[0] as ProjectPlace
}

function knownOrMoved(project: KeptProject, here: ProjectPlace, look: ProjectLookup): Recognised {
  const from = latestOf(project.record).root
  const there = from === here.root ? here : look.folderAt(from)
  // A folder that is mounted twice has two paths.
  const isStillThere = there !== undefined && isSameFolder(there, here)
  return isStillThere ? { kind: 'known', project } : { kind: 'moved', project, from }
}

function recogniseByHistory(here: ProjectPlace, kept: readonly KeptProject[], look: ProjectLookup): Recognised {
  if (!kept.some(({ record }) => record.firstCommit !== undefined)) return { kind: 'new' }
  const commit = look.firstCommitOf(here.root)
  const related = kept.filter(({ record }) => commit !== undefined && record.firstCommit === commit)
  if (related.some((project) => standingPlace(project, look) !== undefined)) return { kind: 'new' }
  const [project] = related.toSorted((one, other) => look.lastUsed(other.folder) - look.lastUsed(one.folder))
  if (project === undefined) return { kind: 'new' }
  return { kind: 'moved', project, from: latestOf(project.record).root }
}

function isRemade({ record }: KeptProject, here: ProjectPlace, look: ProjectLookup): boolean {
  if (latestOf(record).root !== here.root) return false
  if (record.firstCommit === undefined) return true
  const commit = look.firstCommitOf(here.root)
  return commit === undefined || commit === record.firstCommit
}
