import { type ErrorCode, LoaderError, type SessionRow, type SessionStore } from '@loader/session-core'
import { counted, inOneLine } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import type { Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { exitCodeOfError } from '../output/failed.ts'
import { type Places, placesOf } from '../places/places.ts'
import type { CopyOfSession, CopyOutput } from '../schemas/sessions-copy.ts'
import { copySession } from '../sessions/copy-session.ts'
import { allRows, requireSession } from '../sessions/find-session.ts'
import { parseStoreAddress } from '../settings/store-address.ts'
import { databaseOf, filesOf } from '../sessions/store-of.ts'
import { printNotes } from '../screen/notes.ts'

/** Copies sessions between the files of a project and a database. One that is refused leaves the others alone. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  requireSense(given)
  const places = placesOf(given, console)
  const [from, to] = [await storeAt(given.value('from'), places), await storeAt(given.value('to'), places)]
  const rows = given.has('all') ? await allRows(from.store) : await named(given.words, from.store)
  const refusals: LoaderError[] = []
  const sessions: CopyOfSession[] = []
  for (const row of rows) sessions.push(await copied(row, from.store, to.store, (error) => refusals.push(error)))
  const output: CopyOutput = { from: from.shown, to: to.shown, sessions, refused: refusals.length }
  printNotes(
    console,
    refusals.map(({ message }) => message),
  )
  if (given.has('json')) printJson(console, output)
  else printLines(console, linesOf(output))
  return refusals[0] === undefined ? 'ok' : exitCodeOfError(refusals[0])
}

function requireSense(given: Given): void {
  if (!given.has('to') && !given.has('from')) {
    throw new UsageError('Say where to: --to postgres://…, or where from: --from postgres://…', given.command.name)
  }
  if (given.has('all') === given.words.length > 0) {
    throw new UsageError('Name the sessions to copy, or say --all.', given.command.name)
  }
}

interface Side {
  readonly store: SessionStore
  readonly shown: string
}

async function storeAt(text: string | undefined, places: Places): Promise<Side> {
  if (text === undefined || text === 'files') return { store: filesOf(places), shown: 'files' }
  const address = parseStoreAddress(text)
  return { store: await databaseOf(address, places), shown: address.shown }
}

/** All of them are found before the first is copied. */
async function named(words: readonly string[], store: SessionStore): Promise<readonly SessionRow[]> {
  const rows: SessionRow[] = []
  for (const word of words) rows.push(await requireSession(store, word))
  return rows
}

/** What is about one session alone. Anything else, such as a server that does not answer, ends the command. */
const ofOneSession: ReadonlySet<ErrorCode> = new Set([
  'session_busy',
  'session_exists',
  'session_damaged',
  'session_not_found',
  'invalid_state',
  'format_newer',
])

async function copied(
  { id, title }: SessionRow,
  from: SessionStore,
  to: SessionStore,
  onRefusal: (error: LoaderError) => void,
): Promise<CopyOfSession> {
  try {
    return { id, title, ...(await copySession(from, to, id)), reason: null }
  } catch (error) {
    if (!LoaderError.is(error) || !ofOneSession.has(error.code)) throw error
    onRefusal(error)
    return { id, title, outcome: 'refused', events: 0, texts: 0, sha256: null, reason: error.message }
  }
}

function linesOf({ sessions, to, refused }: CopyOutput): string[] {
  const count = (outcome: CopyOfSession['outcome']) => sessions.filter((one) => one.outcome === outcome).length
  return [
    ...sessions.map(({ id, title, outcome, events, texts }) => {
      const what = outcome === 'refused' ? 'refused' : `${counted(events, 'event')}, ${counted(texts, 'long text')}`
      return `${id}  ${inOneLine(title)}: ${outcome === 'there' ? 'there already, the same' : what}`
    }),
    `Copied to ${to}: ${counted(count('copied'), 'session')}; there already: ${count('there')}; refused: ${refused}.`,
  ]
}
