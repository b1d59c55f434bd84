import { compareRows, LoaderError, type SessionRow } from '@loader/session-core'
import { listSessions } from '@loader/session-fs'
import { knownProjects } from '@loader/workspace'
import { inOneLine, type ListedSession, type SessionsOutput } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import { wholeNumber } from '../arguments/whole-number.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { printNotes } from '../screen/notes.ts'
import { foldersOfKnown, type Places, placesOf, sessionFolders } from '../places/places.ts'
import { paintFor } from '../screen/paint.ts'
import { sessionsTable } from '../tables/sessions-table.ts'
import { sizesOnDisk } from '../tables/size-on-disk.ts'

/** The default limit for people; JSON is unlimited by default. */
const usualLimit = 50
const largestPage = 500

interface Listed {
  readonly output: SessionsOutput
  /** Whether more sessions match. */
  readonly rest: 'more' | 'nothing more'
}

export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOf(given, console)
  const limit = wholeNumber(given, 'limit') ?? (given.has('json') ? Number.POSITIVE_INFINITY : usualLimit)
  const { output, rest } = await listed(foldersFor(given, places, console), given.value('search'), limit)
  printNotes(
    console,
    output.unreadable.map(({ root, reason }) => `The sessions in ${root} cannot be listed: ${inOneLine(reason)}`),
  )
  if (given.has('json')) printJson(console, output)
  else printLines(console, listLines(output, rest, given, console))
  return 'ok'
}

/** A folder with sessions. */
interface Folder {
  readonly directory: string
  /** The project that they belong to. */
  readonly root: string
  /** Whether the project was removed. */
  readonly gone: boolean
}

function foldersFor(given: Given, places: Places, { environment }: Console): Folder[] {
  const { root, folders } = places.project()
  const own = sessionFolders(root, folders).map((directory) => ({ directory, root, gone: false }))
  if (!given.has('all')) return own
  const others = knownProjects({ variables: environment }).filter((one) => one.folders.folder !== folders.folder)
  return [
    ...own,
    ...others.flatMap((one) =>
      foldersOfKnown(one).map((directory) => ({
        directory,
        root: one.root ?? one.folders.folder,
        gone: !one.isThere,
      })),
    ),
  ]
}

interface Found {
  readonly folder: Folder
  readonly row: SessionRow
  readonly matches?: ListedSession['matches']
}

async function listed(folders: readonly Folder[], search: string | undefined, limit: number): Promise<Listed> {
  const unreadable: { readonly root: string; readonly reason: string }[] = []
  const found: Found[] = []
  for (const folder of folders) {
    try {
      found.push(...(await foundIn(folder, search, limit + 1)))
    } catch (error) {
      if (!LoaderError.is(error)) throw error
      unreadable.push({ root: folder.root, reason: error.message })
    }
  }
  const newest = found.toSorted((one, other) => compareRows(one.row, other.row))
  const sizes = new Map(folders.map(({ directory }) => [directory, sizesOnDisk(directory)]))
  const sessions = newest.slice(0, limit).map(({ folder: { directory, root, gone }, row, matches }) => ({
    ...row,
    root,
    ...(gone && ({ gone: true } as const)),
    bytes: sizes.get(directory)?.(row.id) ?? 0,
    ...(matches && { matches }),
  }))
  return { output: { sessions, unreadable }, rest: newest.length > limit ? 'more' : 'nothing more' }
}

/** The newest sessions of a folder, at most as many as needed, because reading each one takes time. */
async function foundIn(folder: Folder, search: string | undefined, most: number): Promise<Found[]> {
  const { directory } = folder
  const matchesOf = await searching(directory, search)
  const found: Found[] = []
  let cursor: string | undefined
  do {
    const page = await listSessions(
      { directory },
      { limit: Math.min(most, largestPage), ...(cursor !== undefined && { cursor }) },
    )
    for (const row of page.rows) {
      const matches = await matchesOf?.(row)
      if (matches === undefined || matches.length > 0) found.push({ folder, row, ...(matches && { matches }) })
      if (found.length === most) return found
    }
    cursor = page.cursor
  } while (cursor !== undefined)
  return found
}

/** Loaded on demand, because searching reads sessions and listing does not. */
async function searching(directory: string, wanted: string | undefined) {
  if (wanted === undefined) return undefined
  const { searchFor } = await import('./of-sessions.ts')
  return searchFor(wanted, directory)
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
