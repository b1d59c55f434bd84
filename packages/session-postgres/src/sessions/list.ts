import {
  damagedRow,
  fold,
  type ListQuery,
  LoaderError,
  newestFirst,
  pageOf,
  type SessionPage,
  SessionRow,
  summarize,
  type StoredEvent,
} from '@loader/session-core'
import type { Database } from '../database/database.ts'
import { standingAt } from './claim.ts'
import { placeOf } from '../stored/place.ts'
import { eventsBetween } from '../stored/read.ts'
import * as statements from './statements.ts'

const batchSize = 200
/** Behind every place in a list. */
const beforeAll = '\u{10ffff}'

/** A page of the list, newest first. No session is opened for it, but those that were never saved. */
export async function listSessions(database: Database, tenant: string, query: ListQuery): Promise<SessionPage> {
  if (query.check === true) return pageOf(newestFirst(await checkedRows(database, tenant)), query)
  const unsaved = await unsavedRows(database, tenant)
  const { cursor = `${beforeAll} ` } = query
  // A made-up place leads wherever its characters sort; the database accepts all but this one.
  const [at = '', id = ''] = cursor.replaceAll('\0', '').split(' ')
  const matching: SessionRow[] = []
  for (let place = [at, id] as const; ;) {
    const { rows } = await database.run(statements.listRows, [tenant, ...place, batchSize])
    const batch = rows.map(({ id: each, row }) => savedRow(String(each), String(row)))
    matching.push(...pageOf(batch, { ...query, limit: batch.length }).rows)
    // Those that were saved after they were looked for as unsaved.
    const saved = new Set(matching.map((row) => row.id))
    const page = pageOf(newestFirst([...matching, ...unsaved.filter((row) => !saved.has(row.id))]), query)
    const last = batch.at(-1)
    if (last === undefined || batch.length < batchSize || page.cursor !== undefined) return page
    place = [last.updatedAt, last.id]
  }
}

/** A session that cannot be read must not hide the others. */
function savedRow(id: string, text: string): SessionRow {
  try {
    return SessionRow.parse(JSON.parse(text))
  } catch {
    return damagedRow(id)
  }
}

/** The rows of sessions that were never saved: their writer was cut off, or is about to save them. */
async function unsavedRows(database: Database, tenant: string): Promise<readonly SessionRow[]> {
  const { rows } = await database.run(statements.listUnsaved, [tenant])
  const made: SessionRow[] = []
  // One after another: there may be more of them than there are connections.
  for (const { id } of rows) {
    const row = await rowOfEvents(database, tenant, String(id))
    if (row !== undefined) made.push(row)
  }
  return made
}

async function checkedRows(database: Database, tenant: string): Promise<readonly SessionRow[]> {
  const found: SessionRow[] = []
  for (let last = ''; ;) {
    const { rows } = await database.run(statements.listIds, [tenant, last, batchSize])
    for (const { id } of rows) {
      const row = await rowOfEvents(database, tenant, String(id))
      if (row !== undefined) found.push(row)
      last = String(id)
    }
    if (rows.length < batchSize) return found
  }
}

/** Undefined when the session was deleted meanwhile. One that cannot be read must not hide the others, nor itself. */
async function rowOfEvents(database: Database, tenant: string, id: string): Promise<SessionRow | undefined> {
  const place = placeOf(tenant, id)
  const standing = await standingAt(database, place)
  if (standing === undefined) return undefined
  const events: StoredEvent[] = []
  try {
    for await (const event of eventsBetween(database, place, { first: 1, last: standing.headSeq })) events.push(event)
    const state = fold(events)
    return state === null ? undefined : summarize(state)
  } catch (error) {
    if (LoaderError.is(error, 'session_not_found')) return undefined
    if (LoaderError.is(error)) return damagedRow(standing.id)
    throw error
  }
}
