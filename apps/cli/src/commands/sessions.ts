import {
  compareRows,
  type ListQuery,
  LoaderError,
  type SessionPage,
  type SessionRow,
  type SessionStore,
} from '@loader/session-core'
import { listSessions, type SessionNow, sessionsNow } from '@loader/session-fs'
import { knownProjects } from '@loader/workspace'
import { activityOf, inOneLine, type ListedSession, type SessionsOutput } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import { wholeNumber } from '../arguments/whole-number.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { printNotes } from '../screen/notes.ts'
import { foldersOfKnown, type Places, placesOf, sessionFolders } from '../places/places.ts'
import { paintFor } from '../screen/paint.ts'
import { storeAddress } from '../sessions/asked-store.ts'
import { sessionsTable } from '../tables/sessions-table.ts'
import { sizesOnDisk } from '../tables/size-on-disk.ts'

/** The default limit for people; JSON is unlimited by default. */
const usualLimit = 50
/** Of a search, which may find enough on the first one, and of a database. */
const largestPage = 500

interface Listed {
  readonly output: SessionsOutput
  /** Whether more sessions match. */
  readonly rest: 'more' | 'nothing more'
}

export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOf(given, console)
  const limit = wholeNumber(given, 'limit') ?? (given.has('json') ? Number.POSITIVE_INFINITY : usualLimit)
  const { output, rest } = await listed(await sourcesFor(given, places, console), given.value('search'), limit)
  printNotes(
    console,
    output.unreadable.map(({ root, reason }) => `The sessions in ${root} cannot be listed: ${inOneLine(reason)}`),
  )
  if (given.has('json')) printJson(console, output)
  else printLines(console, listLines(output, rest, given, console))
  return 'ok'
}

/** A folder with sessions, or a database. */
interface Source {
  /** The project that they are of; of a database, its address. */
  readonly root: string
  /** Whether the project was removed. */
  readonly gone: boolean
  /** What is searched: the folder, or the store. */
  readonly where: string | SessionStore
  list(query: ListQuery): Promise<SessionPage>
}

async function sourcesFor(given: Given, places: Places, console: Console): Promise<Source[]> {
  const address = await storeAddress({ given, console, places })
  if (address === undefined) return foldersFor(given, places, console)
  const { databaseStore } = await import('../sessions/database-store.ts')
  const store = databaseStore(address, given.has('all') ? {} : { root: places.root })
  return [{ root: address.shown, gone: false, where: store, list: (query) => store.list(query) }]
}

function foldersFor(given: Given, places: Places, { environment }: Console): Source[] {
  const { root, folders } = places.project()
  const own = sessionFolders(root, folders).map((directory) => folderSource(directory, root, false))
  if (!given.has('all')) return own
  const others = knownProjects({ variables: environment }).filter((one) => one.folders.folder !== folders.folder)
  return [
    ...own,
    ...others.flatMap((one) =>
      foldersOfKnown(one).map((directory) => folderSource(directory, one.root ?? one.folders.folder, !one.isThere)),
    ),
  ]
}

function folderSource(directory: string, root: string, gone: boolean): Source {
  return { root, gone, where: directory, list: (query) => listSessions({ directory }, query) }
}

interface Found {
  readonly source: Source
  readonly row: SessionRow
  readonly matches?: ListedSession['matches']
}

async function listed(sources: readonly Source[], search: string | undefined, limit: number): Promise<Listed> {
  const unreadable: { readonly root: string; readonly reason: string }[] = []
  const found: Found[] = []
  for (const source of sources) {
    try {
      found.push(...(await foundIn(source, search, limit + 1)))
    } catch (error) {
      if (!LoaderError.is(error)) throw error
      unreadable.push({ root: source.root, reason: error.message })
    }
  }
  const newest = found.toSorted((one, other) => compareRows(one.row, other.row))
  const shown = newest.slice(0, limit)
  const sessions: ListedSession[] = []
  for (const source of sources) {
    const ofSource = shown.filter((one) => one.source === source)
    if (ofSource.length > 0) sessions.push(...(await asTheyAre(source, ofSource)))
  }
  // What goes on right now is newer than its row was.
  sessions.sort(compareRows)
  return { output: { sessions, unreadable }, rest: newest.length > limit ? 'more' : 'nothing more' }
}

/** What is shown of a source, as it is right now. */
async function asTheyAre(source: Source, found: readonly Found[]): Promise<ListedSession[]> {
  const rows = found.map(({ row }) => row)
  const { where, root, gone } = source
  const now = typeof where === 'string' ? await sessionsNow({ directory: where }, rows) : await heldIn(where, rows)
  const sizeOf = sizesIn(source)
  return now.map(({ row, holder }, index) => {
    const activity = activityOf(row, holder)
    const matches = found[index]?.matches
    return {
      ...row,
      root: typeof where === 'string' ? root : (row.project ?? root),
      ...(gone && ({ gone: true } as const)),
      ...(activity && { activity }),
      ...sizeOf(row.id),
      ...(matches && { matches }),
    }
  })
}

/** The rows of a store with who holds them, as far as it can tell; each is a question, so only a screen of them is asked. */
async function heldIn(store: SessionStore, rows: readonly SessionRow[]): Promise<readonly SessionNow[]> {
  const now: SessionNow[] = []
  for (const [index, row] of rows.entries()) {
    const holder = index < usualLimit ? await store.holder?.(row.id) : undefined
    now.push({ row, ...(holder !== undefined && { holder }) })
  }
  return now
}

/** What a session takes on disk; a database does not tell. */
function sizesIn({ where }: Source): (id: string) => { readonly bytes?: number } {
  if (typeof where !== 'string') return () => ({})
  const sizeOf = sizesOnDisk(where)
  return (id) => ({ bytes: sizeOf(id) })
}

/** The newest of a folder, and no more than are needed: rows that are not shown need not be looked at. */
async function foundIn(source: Source, search: string | undefined, most: number): Promise<Found[]> {
  const matchesOf = await searching(source.where, search)
  const isWhole = typeof source.where === 'string' && matchesOf === undefined
  const found: Found[] = []
  let cursor: string | undefined
  do {
    const page = await source.list({
      limit: isWhole ? most : Math.min(most, largestPage),
      ...(cursor !== undefined && { cursor }),
    })
    for (const row of page.rows) {
      const matches = await matchesOf?.(row)
      if (matches === undefined || matches.length > 0) found.push({ source, row, ...(matches && { matches }) })
      if (found.length === most) return found
    }
    cursor = page.cursor
  } while (cursor !== undefined)
  return found
}

/** Reading sessions takes more than listing them, and is loaded when it is asked for. */
async function searching(where: Source['where'], wanted: string | undefined) {
  if (wanted === undefined) return undefined
  const { searchFor } = await import('./of-sessions.ts')
  return searchFor(wanted, where)
}

function listLines({ sessions }: SessionsOutput, rest: Listed['rest'], given: Given, console: Console): string[] {
  if (sessions.length === 0) return [nothing(given)]
  const options = { width: columnsOf(console), paint: paintFor(given, console), now: Date.now() }
  const projects = [...new Set(sessions.map(headOf))]
  const tables = given.has('all')
    ? projects.flatMap((head, index) => [
        ...(index === 0 ? [] : ['']),
        options.paint('bold', head),
        ...sessionsTable(
          sessions.filter((session) => headOf(session) === head),
          options,
        ),
      ])
    : sessionsTable(sessions, options)
  return rest === 'more' ? [...tables, `... and more: --limit ${sessions.length * 2}`] : tables
}

function headOf({ root, gone }: ListedSession): string {
  return gone === true ? `${inOneLine(root)} (gone)` : inOneLine(root)
}

function nothing(given: Given): string {
  if (given.has('search')) return 'No message contains this text.'
  return given.has('all')
    ? 'There are no sessions yet.'
    : 'There are no sessions in this project yet. Begin one: loader "what to do"'
}
