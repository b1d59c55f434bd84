import type { Inbox } from '@loader/session-core'
import { parseInboxMessage } from '@loader/session-core/coding'
import type { Database, QueryResult } from '../database/database.ts'
import { failureOf, storageError } from '../database/failure.ts'
import { messageIn, nameOfMessage } from '../stored/messages.ts'
import type { RowPlace } from '../stored/place.ts'
import { notFound } from '../stored/presence.ts'
import { readMessages } from '../stored/statements.ts'
import * as statements from './statements.ts'

/**
 * Messages for the holder of a session. Each row is named by the id of its message, so a message that is put several times makes
 * one row. Putting a message needs no claim, and a foreign key deletes the rows together with their session.
 */
export function databaseInbox(database: Database, { tenant, key }: RowPlace, id: string): Inbox {
  const what = `reach the inbox of session ${id}`
  return {
    async put(message) {
      const parsed = parseInboxMessage(message)
      const name = nameOfMessage(parsed.id)
      const values = [tenant, key, name, JSON.stringify(parsed)]
      const { rows } = await twice(what, () => database.run(statements.putMessage, values))
      const [there] = rows
      if (there === undefined) throw notFound(id)
      const before = there['before']
      // A message that came first stays, unless it is damaged.
      if (typeof before !== 'string' || messageIn(name, before).kind !== 'damaged') return
      await twice(what, () => database.run(statements.replaceMessage, [...values, before]))
    },
    async messages() {
      try {
        const { rows } = await database.run(readMessages, [tenant, key])
        return rows.flatMap((row) => {
          const found = messageIn(String(row['name']), String(row['body']))
          return found.kind === 'message' ? [found.message] : []
        })
      } catch (error) {
        throw storageError(error, what, { reads: true })
      }
    },
    async remove(messageId, epoch) {
      const values = [tenant, key, nameOfMessage(messageId), epoch ?? null]
      await twice(what, () => database.run(statements.removeMessage, values))
    },
  }
}

/** Sends the statement again if its answer was lost. It is idempotent. */
async function twice(what: string, send: () => Promise<QueryResult>): Promise<QueryResult> {
  try {
    return await send()
  } catch (error) {
    if (failureOf(error) !== 'lost') throw storageError(error, what)
    // Whatever the second attempt reports, the result of the first is unknown.
    return send().catch(() => Promise.reject(storageError(error, what)))
  }
}
