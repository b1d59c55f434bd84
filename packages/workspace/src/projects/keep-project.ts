import { mkdirSync } from 'node:fs'
import { LoaderError } from '@loader/session-core'
import { codeOf, meaningOf } from '../paths/system-errors.ts'
import type { Project, ProjectsOptions } from './find-project.ts'
import { firstCommitOf } from './first-commit.ts'
import { isSameFolder, placeAt, placeFor, type ProjectPlace } from './project-place.ts'
import { readRecord, writeRecord } from './project-record.ts'
import { latestOf } from './recognise.ts'

/** Beyond this many places the oldest are forgotten. */
const mostPlaces = 50

/**
 * Records a project and its current path. Must come before anything is kept of it; changes nothing when the record is
 * up to date.
 */
export function keepProject(
  { root, folders: { folder } }: Project,
  { variables = process.env }: ProjectsOptions = {},
): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const read = readRecord(folder)
    // The record may have the format of a newer version; meanwhile the folder is found by its name.
    if (read.kind === 'unreadable') return
    // When the folder is gone, the recorded place stays.
    if (read.kind === 'read' && placeAt(root) === undefined) return
    const here = placeFor(root)
    const before = read.kind === 'read' ? read.record : undefined
    const firstCommit = before?.firstCommit ?? firstCommitOf(root, variables)
    if (before !== undefined && isPlace(latestOf(before), here) && before.firstCommit === firstCommit) return
    const others = (before?.places ?? []).filter((place) => !isPlace(place, here))
    const record = {
      ...before,
      format: 1 as const,
      places: [here, ...others].slice(0, mostPlaces),
      ...(firstCommit !== undefined && { firstCommit }),
    }
    const written = writeRecord(folder, record, before === undefined ? 'nothing' : 'another')
    if (written === 'taken') requireOwn(folder, here)
  } catch (error) {
    throw unkept(error, folder)
  }
}

/** Another process recorded the project at the same moment. In theory the record can be that of another project. */
function requireOwn(folder: string, here: ProjectPlace): void {
  const read = readRecord(folder)
  if (read.kind === 'read' && read.record.places.some(({ root }) => root === here.root)) return
  throw new LoaderError('storage_refused', `${folder} was taken by another project in this moment. Start again.`)
}

function isPlace(one: ProjectPlace, other: ProjectPlace): boolean {
  return one.root === other.root && (isSameFolder(one, other) || (one.born === undefined && one.inode === other.inode))
}

function unkept(error: unknown, folder: string): unknown {
  const code = codeOf(error)
  if (LoaderError.is(error) || code === undefined) return error
  const isFull = code === 'ENOSPC' || code === 'EDQUOT'
  return new LoaderError(
    isFull ? 'storage_full' : 'storage_refused',
    `Nothing can be kept of this project in ${folder}: ${meaningOf(error)}. Set LOADER_STATE to a folder that you can write to.`,
    { cause: error },
  )
}
