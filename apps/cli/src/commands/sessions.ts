import { compareRows, LoaderError, type SessionRow } from '@loader/session-core'
import { listSessions, sessionsDirectory } from '@loader/session-fs'
import { inOneLine, type ListedSession, type SessionsOutput } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import { wholeNumber } from '../arguments/whole-number.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines, printNotes } from '../console/print.ts'
import { type Places, placesOf } from '../places/places.ts'
import { paintFor } from '../screen/paint.ts'
import { knownProjects } from '../sessions/projects.ts'
import { sessionsTable } from '../tables/sessions-table.ts'
import { sizesOnDisk } from '../tables/size-on-disk.ts'

/** What a screen has room for; JSON has all, unless a limit was asked for. */
const usualLimit = 50
const largestPage = 500

interface Listed {
  readonly output: SessionsOutput
  /** Whether there are more that fit. */
  readonly rest: 'more' | 'nothing more'
}

export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOf(given, console)
  const limit = wholeNumber(given, 'limit') ?? (given.has('json') ? Number.POSITIVE_INFINITY : usualLimit)
  const { output, rest } = await listed(rootsOf(given, places), given.value('search'), limit)
  printNotes(
    console,
    output.unreadable.map(({ root, reason }) => `The sessions in ${root} cannot be listed: ${inOneLine(reason)}`),
  )
  if (given.has('json')) printJson(console, output)
  else printLines(console, linesOf(output, rest, given, console))
  return 'ok'
}

function rootsOf(given: Given, { root, config }: Places): string[] {
  if (!given.has('all')) return [root]
  return [...new Set([root, ...knownProjects(config).map((project) => project.root)])]
}

interface Found {
  readonly root: string
  readonly row: SessionRow
  readonly matches?: ListedSession['matches']
}

async function listed(roots: readonly string[], search: string | undefined, limit: number): Promise<Listed> {
  const unreadable: { readonly root: string; readonly reason: string }[] = []
  const found: Found[] = []
  for (const root of roots) {
    try {
      found.push(...(await foundIn(root, search, limit + 1)))
    } catch (error) {
      if (!LoaderError.is(error)) throw error
      unreadable.push({ root, reason: error.message })
    }
  }
  const newest = roots.length === 1 ? found : found.toSorted((one, other) => compareRows(one.row, other.row))
  const sizes = new Map(roots.map((root) => [root, sizesOnDisk(sessionsDirectory({ root }))]))
  const sessions = newest.slice(0, limit).map(({ root, row, matches }) => ({
    ...row,
    root,
    bytes: sizes.get(root)?.(row.id) ?? 0,
    ...(matches && { matches }),
  }))
  return { output: { sessions, unreadable }, rest: newest.length > limit ? 'more' : 'nothing more' }
}

/** The newest of a project, and no more than are needed: rows that are not shown need not be looked at. */
async function foundIn(root: string, search: string | undefined, most: number): Promise<Found[]> {
  const matchesOf = await searching(root, search)
  const found: Found[] = []
  let cursor: string | undefined
  do {
    const page = await listSessions(
      { root },
      { limit: Math.min(most, largestPage), ...(cursor !== undefined && { cursor }) },
    )
    for (const row of page.rows) {
      const matches = await matchesOf?.(row)
      if (matches === undefined || matches.length > 0) found.push({ root, row, ...(matches && { matches }) })
      if (found.length === most) return found
    }
    cursor = page.cursor
  } while (cursor !== undefined)
  return found
}

/** Reading sessions takes more than listing them, and is loaded when it is asked for. */
async function searching(root: string, wanted: string | undefined) {
  if (wanted === undefined) return undefined
  const { searchFor } = await import('./of-sessions.ts')
  return searchFor(wanted, root)
}

function linesOf({ sessions }: SessionsOutput, rest: Listed['rest'], given: Given, console: Console): string[] {
  if (sessions.length === 0) return [nothing(given)]
  const options = { width: columnsOf(console), paint: paintFor(given, console), now: Date.now() }
  const roots = [...new Set(sessions.map(({ root }) => root))]
  const tables = given.has('all')
    ? roots.flatMap((root, index) => [
        ...(index === 0 ? [] : ['']),
        options.paint('bold', inOneLine(root)),
        ...sessionsTable(
          sessions.filter((session) => session.root === root),
          options,
        ),
      ])
    : sessionsTable(sessions, options)
  return rest === 'more' ? [...tables, `... and more: --limit ${sessions.length * 2}`] : tables
}

function nothing(given: Given): string {
  if (given.has('search')) return 'No message contains this text.'
  return given.has('all')
    ? 'There are no sessions yet.'
    : 'There are no sessions in this project yet. Begin one: loader "what to do"'
}
