import { compareRows, LoaderError } from '@loader/session-core'
import { inOneLine, type ListedSession, type SessionsOutput } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import { wholeNumber } from '../arguments/whole-number.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { printNotes } from '../screen/notes.ts'
import { asTheyAre, type Found, foundIn, type Source, sourcesOf, withSizes } from '../listing/sources.ts'
import { type Places, placesOf } from '../places/places.ts'
import { paintFor } from '../screen/paint.ts'
import { storeAddress } from '../sessions/asked-store.ts'
import { sessionsTable } from '../tables/sessions-table.ts'

/** The default limit for people; JSON is unlimited by default. */
const usualLimit = 50

interface Wanted {
  readonly search: string | undefined
  readonly limit: number
  /** Sessions that other sessions began. */
  readonly children: 'listed' | 'left out'
}

interface Listed {
  readonly output: SessionsOutput
  /** Whether more sessions match. */
  readonly rest: 'more' | 'nothing more'
}

export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOf(given, console)
  const limit = wholeNumber(given, 'limit') ?? (given.has('json') ? Number.POSITIVE_INFINITY : usualLimit)
  const children = given.has('agents') || given.has('search') ? 'listed' : 'left out'
  const wanted = { search: given.value('search'), limit, children } as const
  const { output, rest } = await listed(await sourcesFor(given, places, console), wanted)
  printNotes(
    console,
    output.unreadable.map(({ root, reason }) => `The sessions in ${root} cannot be listed: ${inOneLine(reason)}`),
  )
  if (given.has('json')) printJson(console, output)
  else printLines(console, listLines(output, rest, given, console))
  return 'ok'
}

async function sourcesFor(given: Given, places: Places, console: Console): Promise<Source[]> {
  const address = await storeAddress({ given, console, places })
  return sourcesOf(given.has('all') ? 'all' : 'project', address, places, console)
}

/** Where no source can be read, nothing is known of any session: that is an error, and no empty list. */
async function listed(sources: readonly Source[], { search, limit, children }: Wanted): Promise<Listed> {
  const unreadable: { readonly root: string; readonly reason: string }[] = []
  const found: Found[] = []
  for (const source of sources) {
    try {
      found.push(...(await foundIn(source, limit + 1, await searching(source.where, search), children)))
    } catch (error) {
      if (!LoaderError.is(error)) throw error
      if (sources.length === 1) throw error
      unreadable.push({ root: source.root, reason: error.message })
    }
  }
  const newest = found.toSorted((one, other) => compareRows(one.row, other.row))
  const shown = newest.slice(0, limit)
  const sessions: ListedSession[] = []
  for (const source of sources) {
    const ofSource = shown.filter((one) => one.source === source)
    if (ofSource.length > 0) sessions.push(...withSizes(source, await asTheyAre(source, ofSource)))
  }
  // What goes on right now is newer than its row was.
  sessions.sort(compareRows)
  return { output: { sessions, unreadable }, rest: newest.length > limit ? 'more' : 'nothing more' }
}

/** Reading sessions takes more than listing them, and is loaded when it is asked for. */
async function searching(where: Source['where'], wanted: string | undefined) {
  if (wanted === undefined) return undefined
  const { searchFor } = await import('./of-sessions.ts')
  return searchFor(wanted, where)
}

function listLines(
  { sessions, unreadable }: SessionsOutput,
  rest: Listed['rest'],
  given: Given,
  console: Console,
): string[] {
  if (sessions.length === 0)
    return [unreadable.length === 0 ? nothing(given) : 'No session was found in the other places.']
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
