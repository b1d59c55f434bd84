import { isSameFolder, type ProjectPlace } from './project-place.ts'
import type { ProjectRecord } from './project-record.ts'

/** A project that is kept, with the folder in which that lies. */
export interface KeptProject {
  readonly folder: string
  readonly record: ProjectRecord
}

/** What is looked up only when it decides something. */
export interface ProjectLookup {
  folderAt(root: string): ProjectPlace | undefined
  firstCommitOf(root: string): string | undefined
  /** When its sessions were last changed, as a number that grows. */
  lastUsed(folder: string): number
}

export type Recognised =
  | { readonly kind: 'new' }
  | { readonly kind: 'known'; readonly project: KeptProject }
  | { readonly kind: 'moved'; readonly project: KeptProject; readonly from: string }

/**
 * Which of the kept projects a folder is.
 *
 * 1. The same folder is the same project, whatever it is called now and whatever is in it.
 * 2. Another folder at the path where a project was last is that project made anew, unless its history began with another
 *    commit.
 * 3. A folder whose history began with the same commit is a project that has moved, unless one with this history is still
 *    where it was: then it is a copy, and a copy gets nothing of the original.
 */
export function recognise(here: ProjectPlace, kept: readonly KeptProject[], look: ProjectLookup): Recognised {
  const same = kept.find(({ record }) => record.places.some((place) => isSameFolder(place, here)))
  if (same !== undefined) return knownOrMoved(same, here, look)
  const remade = kept.find((project) => isRemade(project, here, look))
  if (remade !== undefined) return { kind: 'known', project: remade }
  return recogniseByHistory(here, kept, look)
}

/** Where a project is; undefined when no place that it was in holds it any more. */
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
  // One folder can have two paths, when it is mounted twice.
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
