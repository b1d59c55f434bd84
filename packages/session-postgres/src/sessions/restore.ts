import { LoaderError, stateOfHistory, summarize, type WholeHistory } from '@loader/session-core'
import type { Database } from '../database/database.ts'
import { blobOf } from '../stored/blobs.ts'
import { type RowPlace } from '../stored/place.ts'
import * as statements from './statements.ts'

/** At most so much is sent with one statement, in characters. */
const mostAtOnce = 4 * 1024 * 1024

/** A session from another store, in one transaction. */
export async function restoreSession(
  database: Database,
  { tenant, key }: RowPlace,
  { id, events, texts }: WholeHistory,
): Promise<void> {
  const state = stateOfHistory(id, events)
  const row = summarize(state)
  const saved = [JSON.stringify(state), JSON.stringify(row), row.updatedAt] as const
  await database.transaction(async (run) => {
    const { rows } = await run(statements.restoreSession, [tenant, key, id, state.epoch, state.seq, ...saved])
    const [made] = rows
    if (made === undefined)
      throw new LoaderError('session_exists', `Session ${id} is already there. Choose another id.`)
    let seq = 0
    for (const lines of linesOf(events)) {
      await run(statements.restoreEvents, [tenant, key, seq, Number(made['epoch']), lines.join('\n')])
      seq += lines.length
    }
    for (const [name, text] of texts) await run(statements.restoreBlob, [tenant, key, name, bytesOf(name, text)])
  })
}

function* linesOf(events: WholeHistory['events']): Generator<readonly string[]> {
  let lines: string[] = []
  let size = 0
  for (const event of events) {
    const line = JSON.stringify(event)
    if (lines.length > 0 && size + line.length > mostAtOnce) {
      yield lines
      lines = []
      size = 0
    }
    lines.push(line)
    size += line.length
  }
  yield lines
}

/** A text is checked against its name when it is read, so under any other name it would be lost. */
function bytesOf(name: string, text: string): Uint8Array {
  const blob = blobOf(text)
  if (blob.name === name) return blob.bytes
  throw new LoaderError(
    'invalid_event',
    `The long text ${JSON.stringify(name)} does not have the name of its content, ${blob.name}.`,
  )
}
