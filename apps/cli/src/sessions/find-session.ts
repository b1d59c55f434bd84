import {
  type ListQuery,
  LoaderError,
  readSession,
  SessionId,
  type SessionRow,
  type SessionStore,
  summarize,
} from '@loader/session-core'

/**
 * Finds a session by its id, by the beginning of its id, or by its title in any case; without a word, the latest one.
 * Undefined if there is none; an error that lists them if several match.
 */
export async function findSession(store: SessionStore, wanted: string | undefined): Promise<SessionRow | undefined> {
  if (wanted === undefined || wanted === 'latest') return latestOf(store)
  const [found, ...others] = sessionsNamed(await allRows(store), wanted)
  if (others.length === 0) return found ?? rowOf(store, wanted)
  const names = [found, ...others].map((row) => row?.id).join(', ')
  throw new LoaderError(
    'invalid_id',
    `${JSON.stringify(wanted)} can mean several sessions: ${names}. Give the whole id.`,
  )
}

/** The latest that a user began: those that other sessions began are named. */
async function latestOf(store: SessionStore): Promise<SessionRow | undefined> {
  let cursor: string | undefined
  do {
    const page = await store.list({ limit: 50, ...(cursor !== undefined && { cursor }) })
    const row = page.rows.find(({ parent }) => parent === undefined)
    if (row !== undefined) return row
    cursor = page.cursor
  } while (cursor !== undefined)
  return undefined
}

/** A session that no list of the project shows, under its whole id: a database has those of other projects and machines. */
export async function rowOf(store: SessionStore, id: string): Promise<SessionRow | undefined> {
  if (!SessionId.safeParse(id).success) return undefined
  try {
    return summarize((await readSession(store, id, { gaps: 'mark' })).state)
  } catch (error) {
    if (LoaderError.is(error, 'session_not_found')) return undefined
    throw error
  }
}

/** The sessions that a word can mean. */
export function sessionsNamed(rows: readonly SessionRow[], wanted: string): readonly SessionRow[] {
  const byId = rows.filter(({ id }) => id === wanted)
  const byPrefix = wanted.length >= shortestPrefix ? rows.filter(({ id }) => id.startsWith(wanted)) : []
  const byTitle = rows.filter(({ title }) => title.toLowerCase() === wanted.trim().toLowerCase())
  return [byId, byPrefix, byTitle].find((fitting) => fitting.length > 0) ?? []
}

const shortestPrefix = 4

/** The same, but throws if there is none. */
export async function requireSession(store: SessionStore, wanted: string | undefined): Promise<SessionRow> {
  const row = await findSession(store, wanted)
  if (row !== undefined) return row
  throw new LoaderError(
    'session_not_found',
    wanted === undefined
      ? 'There is no session in this project yet. Begin one: loader "what to do"'
      : `No session of this project has the id or title ${JSON.stringify(wanted)}. See which there are: loader sessions`,
  )
}

/** Every session; with `check`, read from their files instead of the list. */
export async function allRows(store: SessionStore, query: Pick<ListQuery, 'check'> = {}): Promise<SessionRow[]> {
  const rows: SessionRow[] = []
  let cursor: string | undefined
  do {
    const page = await store.list({ ...query, limit: 10_000, ...(cursor !== undefined && { cursor }) })
    rows.push(...page.rows)
    cursor = page.cursor
  } while (cursor !== undefined)
  return rows
}
