import { fold, LoaderError, type SessionRow, type SessionState, summarize, damagedRow } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import { codeOf, isPassing } from '../disk/file-errors.ts'
import { isClosed, isDeleted } from '../disk/lock.ts'
import { newestOf } from '../disk/newest-lock.ts'
import { type Layout, layoutOf, sessionOf } from '../format/layout.ts'
import { type Recovery, recover } from '../read/recover.ts'
import { findFiles, readSnapshot } from '../read/session-files.ts'
import { lookAt } from '../read/look-at.ts'
import { lookAtSnapshot } from '../read/survey.ts'

/** The rows of all sessions, read off their snapshots where those are good and say all that is known. */
export function rowsOfFiles(disk: Disk, directory: string): SessionRow[] {
  return rowsOf(disk, directory, new Map(), rowOfSnapshot(disk))
}

function rowOfSnapshot(disk: Disk): ReadRow {
  return (layout, id, isSaved) => {
    const snapshot = readSnapshot(disk, layout, id)
    if (snapshot.kind !== 'good') return currentRow(disk, layout, id)
    return isSaved ? summarize(snapshot.state) : laterRow(disk, layout, id, snapshot.state)
  }
}

/** The row of a session that was not closed: its snapshot is behind. What cannot be read beside its writer waits for that one. */
function laterRow(disk: Disk, layout: Layout, id: string, saved: SessionState): SessionRow {
  try {
    return currentRow(disk, layout, id) ?? summarize(saved)
  } catch (error) {
    if (LoaderError.is(error)) return summarize(saved)
    throw error
  }
}

/** The row of one session, the same way. `before` is the row known so far, for where its files do not tell. */
export function rowOfFiles(disk: Disk, directory: string, id: string, before?: SessionRow): SessionRow | undefined {
  const known = new Map(before && [[id, before]])
  return rowOf(disk, layoutOf(directory, id), id, known, rowOfSnapshot(disk))
}

/** The rows of all sessions as claiming each of them would find it. What `indexed` says is only what was known before. */
export function checkedRows(disk: Disk, directory: string, indexed: Iterable<SessionRow>): SessionRow[] {
  const known = new Map([...indexed].map((row) => [row.id.toLowerCase(), row]))
  return rowsOf(disk, directory, known, (layout, id) => currentRow(disk, layout, id))
}

type Known = ReadonlyMap<string, SessionRow>
/** `isSaved`: the session was closed, and its snapshot with it. */
type ReadRow = (layout: Layout, id: string, isSaved: boolean) => SessionRow | undefined

function rowsOf(disk: Disk, directory: string, known: Known, read: ReadRow): SessionRow[] {
  if (!disk.exists(directory)) return []
  const ids = new Set(disk.fs.readdirSync(directory).flatMap((name) => sessionOf(name) ?? []))
  return [...ids].flatMap((id) => rowOf(disk, layoutOf(directory, id), id, known, read) ?? [])
}

function rowOf(disk: Disk, layout: Layout, id: string, known: Known, read: ReadRow): SessionRow | undefined {
  try {
    const { lock } = newestOf(disk, layout, id)
    if (isDeleted(lock)) return undefined
    return read(layout, id, isClosed(lock)) ?? rowOfRemains(disk, layout, id, known)
  } catch (error) {
    const before = known.get(id)
    if (LoaderError.is(error, 'format_newer') && before !== undefined) return before
    // One session that cannot be read must not hide the others, nor itself.
    if (LoaderError.is(error) || (codeOf(error) !== undefined && !isPassing(error)))
      return rowOfDamaged(disk, layout, id, known)
    throw error
  }
}

function currentRow(disk: Disk, layout: Layout, id: string): SessionRow | undefined {
  const recovery = recover(findFiles(disk, layout, id))
  const state = recovery && fold(recovery.events, recovery.state)
  return state && recovery ? withMissing(summarize(state), recovery.missing) : undefined
}

/** What a saved state covers is no gap of that state, and cannot be read all the same. */
function withMissing(row: SessionRow, missing: Recovery['missing']): SessionRow {
  return missing.length === 0 ? row : { ...row, gaps: [...missing, ...(row.gaps ?? [])] }
}

/** Of a session of which nothing can be read but that it was there. */
function rowOfRemains(disk: Disk, layout: Layout, id: string, known: Known): SessionRow | undefined {
  return known.has(id) || isOurSnapshot(disk, layout) ? rowOfDamaged(disk, layout, id, known) : undefined
}

/** Other programs' JSON files do not begin like this. */
function isOurSnapshot(disk: Disk, layout: Layout): boolean {
  const file = lookAt(disk, layout.snapshot)
  return file.kind === 'bytes' && Buffer.from(file.bytes.subarray(0, 12)).toString('latin1') === '{\n"format": '
}

function rowOfDamaged(disk: Disk, layout: Layout, id: string, known: Known): SessionRow {
  const snapshot = lookAtSnapshot(disk, layout, id)
  const last = known.get(id) ?? (snapshot.kind === 'good' ? summarize(snapshot.state) : damagedRow(id))
  return { ...last, status: 'damaged' }
}
