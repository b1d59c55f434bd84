import { LoaderError, parseEvent, type StoredEvent } from '@loader/session-core'
import type { Database } from '../database/database.ts'
import type { RowPlace } from './place.ts'
import { notFound } from './presence.ts'
import { readEvents, standing } from './statements.ts'

const pageSize = 500

/** The events from one seq to another, in pages; refused where one is missing, or the session was deleted meanwhile. */
export async function* eventsBetween(
  database: Database,
  { tenant, key }: RowPlace,
  { first, last }: { readonly first: number; readonly last: number },
): AsyncGenerator<StoredEvent> {
  for (let next = first; next <= last;) {
    const { rows } = await database.run(readEvents, [tenant, key, next, last, pageSize])
    for (const { seq, body } of rows) {
      if (Number(seq) !== next)
        throw await whyMissing(database, { tenant, key }, { first: next, last: Number(seq) - 1 })
      yield eventOf(key, next, body)
      next += 1
    }
    if (rows.length < pageSize && next <= last) throw await whyMissing(database, { tenant, key }, { first: next, last })
  }
}

export function eventOf(id: string, seq: number, body: unknown): StoredEvent {
  try {
    const event = parseEvent(JSON.parse(String(body)))
    if (event.seq === seq) return event
    throw damaged(id, `event ${seq} says that it is ${event.seq}`)
  } catch (error) {
    if (LoaderError.is(error, 'session_damaged')) throw error
    if (error instanceof SyntaxError || LoaderError.is(error)) throw damaged(id, `event ${seq} cannot be read`, error)
    throw error
  }
}

async function whyMissing(
  database: Database,
  { tenant, key }: RowPlace,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<LoaderError> {
  const { rows } = await database.run(standing, [tenant, key])
  if (rows[0] === undefined || Number(rows[0]['head_seq']) < last) return notFound(key)
  return damaged(key, first === last ? `event ${first} is missing` : `events ${first} to ${last} are missing`)
}

function damaged(id: string, what: string, cause?: unknown): LoaderError {
  const message = `Session ${id} is damaged: ${what}. Something other than this package has changed the tables.`
  return new LoaderError('session_damaged', message, { cause })
}
