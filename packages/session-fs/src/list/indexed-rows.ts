import { join } from 'node:path'
import { compareRows, newestFirst, type SessionRow } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import { codeOf } from '../disk/file-errors.ts'
import { checksum, hex } from '../format/checksum.ts'

/** A row, or the word that there is none any more. */
export type IndexLine = SessionRow | { readonly id: string; readonly deleted: true }

/** The files that a list is read from; `session-index.ts` says how and in which order they are written. */
export function indexFiles(directory: string) {
  return {
    index: join(directory, '_index.json'),
    journal: join(directory, '_index.journal.jsonl'),
    folding: join(directory, '_index.folding.jsonl'),
  }
}

/**
 * The result of `make` over all rows, newest first; undefined when the index is missing or damaged. A row is parsed when
 * it is asked for, and nothing of it is kept: a page costs its own rows and those before it.
 */
export function fromIndex<Result>(
  disk: Disk,
  directory: string,
  make: (rows: Iterable<SessionRow>) => Result,
): Result | undefined {
  try {
    const rows = indexedRows(disk, directory)
    return rows && make(rows)
  } catch (error) {
    // A line that bears the right checksum, and was never a row.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function indexedRows(disk: Disk, directory: string): Iterable<SessionRow> | undefined {
  const files = indexFiles(directory)
  // The order in which a row moves on: a reader meets it at least once, also while it moves.
  const journal = readLines(disk, files.journal)
  const folding = readLines(disk, files.folding)
  const index = readAsCache(disk, files.index)
  const lines = index === 'unreadable' ? undefined : checkedIndex(index)
  if (lines === undefined || folding === undefined || journal === undefined) return undefined
  return merged(rowsIn(lines), [...folding, ...journal])
}

/** Whether each of the files is there and as it was written, or, of the journals, not there. */
export function isSoundIndex(disk: Disk, directory: string): boolean {
  const { index, journal, folding } = indexFiles(directory)
  const logs = [journal, folding].map((path) => readAsCache(disk, path))
  if (logs.some((bytes) => bytes === 'unreadable' || checkedLines(bytes) === undefined)) return false
  const indexed = readAsCache(disk, index)
  return indexed !== 'unreadable' && checkedIndex(indexed) !== undefined
}

/** The same of how the files end, which is all that a crash can have left undone. */
export function endsSoundly(disk: Disk, directory: string): boolean {
  const { index, journal, folding } = indexFiles(directory)
  const isClosed = (path: string) => {
    const tail = disk.readCacheTail(path, 2)
    return tail === undefined ? !disk.exists(path) : tail.length === 0 || isText(tail, ']\n')
  }
  const end = disk.readCacheTail(index, 64)
  return (
    end !== undefined && closing.test(Buffer.from(end).toString('latin1')) && isClosed(journal) && isClosed(folding)
  )
}

function isText(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(bytes).toString('latin1') === text
}

/** Whatever keeps a file of the index from being read: the sessions themselves can be asked instead. */
function readAsCache(disk: Disk, path: string): Uint8Array | 'unreadable' | undefined {
  try {
    return disk.readIfThere(path)
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return 'unreadable'
  }
}

function readLines(disk: Disk, path: string): readonly IndexLine[] | undefined {
  const bytes = readAsCache(disk, path)
  return bytes === 'unreadable' ? undefined : parseLines(bytes)
}

const closing = /,\n"checksum":"([0-9a-f]{8})"\}\n$/
const framed = /^\["([0-9a-f]{8})",(.*)\]$/s

const [opening, ending] = ['{"rows":[\n', '\n]']
const [newline, comma] = [10, 44]

/** The lines of the index, if it is as it was written: each a row, and all but the last with a comma behind it. */
function checkedIndex(bytes: Uint8Array | undefined): Buffer | undefined {
  if (bytes === undefined) return undefined
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const end = closing.exec(buffer.toString('utf8', Math.max(0, buffer.length - 64)))
  if (end === null) return undefined
  const body = buffer.subarray(0, buffer.length - end[0].length)
  if (!isText(body.subarray(0, opening.length), opening) || !isText(body.subarray(-ending.length), ending))
    return undefined
  return hex(checksum(body)) === end[1] ? body.subarray(opening.length, -ending.length) : undefined
}

function* rowsIn(lines: Buffer): Generator<SessionRow> {
  for (let start = 0; start < lines.length;) {
    const found = lines.indexOf(newline, start)
    const end = found < 0 ? lines.length : found
    const row: unknown = JSON.parse(lines.toString('utf8', start, lines[end - 1] === comma ? end - 1 : end))
    if (!isRow(row)) throw new SyntaxError('A line of the index is not a row.')
    yield row
    start = end + 1
  }
}

/** The lines of a journal, if all of them are as they were written. */
function checkedLines(bytes: Uint8Array | undefined): readonly string[] | undefined {
  if (bytes === undefined) return []
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => framed.exec(line))
  const checks = lines.every((line) => line !== null && hex(checksum(line[2] as string)) === line[1])
  return checks ? lines.map((line) => line?.[2] as string) : undefined
}

function parseLines(bytes: Uint8Array | undefined): readonly IndexLine[] | undefined {
  const lines = checkedLines(bytes)?.map((text): unknown => JSON.parse(text))
  return lines?.every((line) => isRow(line) || isDeletion(line)) ? lines : undefined
}

/** What sorting and searching need. A row is parsed with its schema only before it is returned, not at every reading. */
function isRow(value: unknown): value is SessionRow {
  if (typeof value !== 'object' || value === null) return false
  const { id, updatedAt, metadata }: Partial<Record<keyof SessionRow, unknown>> = value
  return typeof id === 'string' && typeof updatedAt === 'string' && typeof metadata === 'object' && metadata !== null
}

function isDeletion(value: unknown): value is Exclude<IndexLine, SessionRow> {
  if (typeof value !== 'object' || value === null) return false
  return 'id' in value && typeof value.id === 'string' && 'deleted' in value
}

/** The rows of the index, which are in order, and those that came after it. Nothing behind the page is made. */
function* merged(rows: Iterable<SessionRow>, lines: readonly IndexLine[]): Generator<SessionRow> {
  const latest = new Map(lines.map((line) => [line.id.toLowerCase(), line]))
  const newer = newestFirst([...latest.values()].flatMap((line) => ('deleted' in line ? [] : [line])))
  let next = 0
  for (const row of rows) {
    if (latest.has(row.id.toLowerCase())) continue
    for (; next < newer.length && compareRows(newer[next] as SessionRow, row) < 0; next += 1)
      yield newer[next] as SessionRow
    yield row
  }
  yield* newer.slice(next)
}
