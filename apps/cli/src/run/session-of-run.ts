import { inOneLine } from '@loader/readings'
import { LoaderError, type SessionRow, type SessionStore } from '@loader/session-core'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { cut } from '../screen/width.ts'
import { allRows, findSession, rowOf, sessionsNamed } from '../sessions/find-session.ts'
import type { Beginning } from './beginning.ts'
import { nearSessions } from './near-sessions.ts'

/** The session that a run is about. */
export interface SessionOfRun {
  /** The session to continue or copy; absent for a new one. */
  readonly id?: string
  /** Known to be damaged without reading it. */
  readonly isDamaged?: true
  readonly fork?: true
}

/** The session that --continue, --resume or --fork selects. */
export async function sessionOfRun(
  store: SessionStore,
  given: Given,
  askWhich?: Beginning['askWhich'],
): Promise<SessionOfRun> {
  if (!given.has('continue') && !given.has('resume')) return {}
  const wanted = given.value('resume')
  const { id, status } = await rowMeant(store, given, wanted, askWhich)
  return { id, ...(status === 'damaged' && { isDamaged: true }), ...(given.has('fork') && { fork: true }) }
}

/** Without a name, -c means the latest session, and -r the one that the user chooses, at a terminal. */
async function rowMeant(
  store: SessionStore,
  given: Given,
  wanted: string | undefined,
  askWhich: Beginning['askWhich'],
): Promise<SessionRow> {
  if (wanted === 'latest') return latest(store)
  if (wanted !== undefined) return wantedSession(store, wanted, askWhich)
  if (!given.has('resume') || askWhich === undefined) return latest(store)
  const rows = (await allRows(store)).filter(({ parent }) => parent === undefined)
  if (rows.length < 2) return latest(store)
  const picked = await askWhich('Sessions of this project', rows, store)
  if (picked !== undefined) return picked
  throw new UsageError('No session was chosen. The latest one: loader -c', '')
}

/** The named session. A similar one is offered, and never taken unasked. */
async function wantedSession(
  store: SessionStore,
  wanted: string,
  askWhich: Beginning['askWhich'],
): Promise<SessionRow> {
  const rows = await allRows(store)
  const named = sessionsNamed(rows, wanted)
  const [row] = named
  if (row !== undefined && named.length === 1) return row
  const elsewhere = named.length === 0 ? await rowOf(store, wanted) : undefined
  if (elsewhere !== undefined) return elsewhere
  if (named.length === 0 && isId(wanted)) throw noSuchId(wanted)
  const offered = named.length > 1 ? named : nearSessions(wanted, rows)
  const news = newsOf(wanted, named)
  const picked = offered.length === 0 ? undefined : await askWhich?.(news, offered, store)
  if (picked !== undefined) return picked
  throw named.length > 1 ? several(news, named) : noneNamed(news, offered)
}

/** Whether a word has the form of generated ids, which titles do not have. */
function isId(word: string): boolean {
  return /^ses_[\w-]*$/.test(word) || /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i.test(word)
}

function newsOf(wanted: string, named: readonly SessionRow[]): string {
  const shown = JSON.stringify(wanted)
  return named.length > 1
    ? `${shown} can mean several sessions: ${named.map(({ id }) => id).join(', ')}.`
    : `No session of this project has the id or title ${shown}.`
}

function several(news: string, named: readonly SessionRow[]): LoaderError {
  const [first] = named
  return new LoaderError('invalid_id', `${news} Give the whole id, such as: loader -r ${first?.id ?? ''}`)
}

function noneNamed(news: string, near: readonly SessionRow[]): UsageError {
  const lines =
    near.length === 0
      ? [`${news} See which there are: loader sessions`]
      : [`${news} Like it are:`, ...near.map(({ id, title }) => `  ${id}  ${cut(inOneLine(title), 60)}`)]
  return new UsageError([...lines, 'Words for the latest session go behind -c: loader -c "what to do"'].join('\n'), '')
}

function noSuchId(wanted: string): LoaderError {
  return new LoaderError(
    'session_not_found',
    `No session of this project has the id ${wanted}. See which there are: loader sessions`,
  )
}

async function latest(store: SessionStore): Promise<SessionRow> {
  const row = await findSession(store, undefined)
  if (row !== undefined) return row
  throw new LoaderError(
    'session_not_found',
    'There is no session to go on with in this project yet. Begin one: loader "what to do"',
  )
}
