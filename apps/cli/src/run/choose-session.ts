import { LoaderError, type SessionRow } from '@loader/session-core'
import type { FileSessionStore } from '@loader/session-fs'
import type { Given } from '../arguments/given.ts'
import { findSession, sessionsNamed } from '../find-session.ts'

/** The session that a run is about, and what of the words behind --resume belongs to the task. */
export interface ChosenSession {
  /** The one to go on with, or to copy; absent: a new one. */
  readonly id?: string
  /** Known to be damaged without a closer look. */
  readonly isDamaged?: true
  readonly fork?: true
  /** A word behind --resume that names no session is the beginning of the task. */
  readonly firstWord?: string
  readonly note?: string
}

/** What is meant by --continue, --resume and --fork. */
export async function chooseSession(store: FileSessionStore, given: Given): Promise<ChosenSession> {
  if (!given.has('continue') && !given.has('resume')) return {}
  const chosen = await chooseExisting(store, given.value('resume'))
  return chosen.id !== undefined && given.has('fork') ? { ...chosen, fork: true } : chosen
}

async function chooseExisting(store: FileSessionStore, wanted: string | undefined): Promise<ChosenSession> {
  if (wanted === undefined || wanted === 'latest') return latest(store)
  const named = await sessionsNamed(store, wanted)
  const [row] = named
  if (row !== undefined && named.length === 1) return existing(row)
  if (isId(wanted)) throw notOne(wanted, named)
  const last = await findSession(store, undefined)
  if (last !== undefined) {
    const note = named.length > 1 ? { note: `${several(wanted, named)} So it is the task for the latest.` } : {}
    return { ...existing(last), firstWord: wanted, ...note }
  }
  return { firstWord: wanted, note: 'There is no session in this project yet; this begins the first.' }
}

/** A mistyped or outdated id must not become a task for another session. */
function isId(word: string): boolean {
  return /^ses_[\w-]*$/.test(word) || /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i.test(word)
}

function notOne(wanted: string, named: readonly SessionRow[]): LoaderError {
  const seeAll = 'See which there are: loader sessions'
  if (named.length === 0) {
    return new LoaderError('session_not_found', `No session of this project has the id ${wanted}. ${seeAll}`)
  }
  return new LoaderError('invalid_id', `${several(wanted, named)} Give more of the id.`)
}

function several(wanted: string, named: readonly SessionRow[]): string {
  return `${JSON.stringify(wanted)} can mean several sessions: ${named.map(({ id }) => id).join(', ')}.`
}

async function latest(store: FileSessionStore): Promise<ChosenSession> {
  const row = await findSession(store, undefined)
  if (row !== undefined) return existing(row)
  throw new LoaderError(
    'session_not_found',
    'There is no session to go on with in this project yet. Begin one: loader "what to do"',
  )
}

function existing({ id, status }: SessionRow): ChosenSession {
  return status === 'damaged' ? { id, isDamaged: true } : { id }
}
