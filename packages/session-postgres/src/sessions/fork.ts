import { type Fork, LoaderError, parseEvent } from '@loader/session-core'
import type { Database } from '../database/database.ts'
import { type RowPlace, placeOf } from '../stored/place.ts'
import * as statements from './statements.ts'

interface Origin extends RowPlace {
  readonly id: string
  readonly headSeq: number
}

/** A copy of a session up to an event, all of it or nothing. Its claims begin above those that its events speak of. */
export async function forkSession(
  database: Database,
  { tenant, key, id, headSeq }: Origin,
  options: { readonly atSeq: number | undefined; readonly id: string; readonly at: string },
): Promise<Fork> {
  const { atSeq: seq = headSeq, id: forkId, at } = options
  const fork = placeOf(tenant, forkId)
  if (!Number.isSafeInteger(seq) || seq < 1 || seq > headSeq) {
    const message = `Session ${id} has no event ${seq} to be forked at: its events are 1 to ${headSeq}.`
    throw new LoaderError('impossible_event', message)
  }
  const from = { id, seq }
  const forked = parseEvent({ type: 'session.forked', seq: seq + 1, at, id: forkId, from })
  await database.transaction(async (run) => {
    const { rows } = await run(statements.forkSession, [tenant, key, seq, fork.key, forkId])
    const [made] = rows
    if (made === undefined) {
      throw new LoaderError('session_exists', `Session ${forkId} is already there. Choose another id.`)
    }
    const { rowCount } = await run(statements.forkEvents, [tenant, key, seq, fork.key])
    if (rowCount !== seq) {
      const message = `Session ${id} cannot be forked: of its events 1 to ${seq} there are ${rowCount}.`
      throw new LoaderError('session_damaged', message)
    }
    await run(statements.forkBlobs, [tenant, key, fork.key, seq])
    await run(statements.addEvent, [tenant, fork.key, seq + 1, Number(made['epoch']), JSON.stringify(forked)])
  })
  return { id: forkId, from }
}
