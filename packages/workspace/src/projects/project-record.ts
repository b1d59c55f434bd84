import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { readOrdinary } from '../files/read-ordinary.ts'
import { codeOf } from '../paths/system-errors.ts'
import { ProjectPlace } from './project-place.ts'

/** The content of `project.json`: how to recognise the project, also after it has moved. */
export const ProjectRecord = z.looseObject({
  format: z.literal(1),
  /**
   * Every folder in which it was found, the latest first. Old places stay after a move, so that a disk that was not
   * mounted, or a folder whose path was reused meanwhile, finds its sessions again.
   */
  places: z.array(ProjectPlace).min(1),
  firstCommit: z.string().optional(),
})
export type ProjectRecord = z.infer<typeof ProjectRecord>

export type ReadRecord =
  | { readonly kind: 'read'; readonly record: ProjectRecord }
  | { readonly kind: 'missing' }
  /** The file exists but has another content. */
  | { readonly kind: 'unreadable' }

export function readRecord(folder: string): ReadRecord {
  try {
    const read = ProjectRecord.safeParse(JSON.parse(readOrdinary(fileIn(folder))))
    return read.success ? { kind: 'read', record: read.data } : { kind: 'unreadable' }
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: 'unreadable' }
    const code = codeOf(error)
    if (code === undefined) throw error
    return code === 'ENOENT' || code === 'ENOTDIR' ? { kind: 'missing' } : { kind: 'unreadable' }
  }
}

/**
 * Writes the record, whole or not at all. A first record never replaces another: then this returns `taken`, and the
 * existing one stays.
 */
export function writeRecord(folder: string, record: ProjectRecord, over: 'nothing' | 'another'): 'written' | 'taken' {
  const [file, next] = [fileIn(folder), `${fileIn(folder)}.${process.pid}.new`]
  const fd = openSync(next, 'w', 0o600)
  try {
    try {
      writeFileSync(fd, `${JSON.stringify(record, null, 2)}\n`)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    return over === 'another' ? rename(next, file) : link(next, file)
  } finally {
    rmSync(next, { force: true })
  }
}

function link(next: string, file: string): 'written' | 'taken' {
  try {
    linkSync(next, file)
    return 'written'
  } catch (error) {
    const code = codeOf(error) ?? ''
    if (code === 'EEXIST') return 'taken'
    // This file system has no links, so a gap of microseconds remains.
    if (['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) return rename(next, file)
    throw error
  }
}

function rename(next: string, file: string): 'written' {
  renameSync(next, file)
  return 'written'
}

function fileIn(folder: string): string {
  return join(folder, 'project.json')
}
