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
 * Messages for the holder of a session, each in a row that is named by its id, so that one of several that put the same message
 * makes the row. Those who put claim nothing, and a row goes with its session: the database itself sees to that.
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
      // One that came before stays, unless nobody can read it any more.
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

/** Sends it again where the answer was lost: done twice it is done once. */
async function twice(what: string, send: () => Promise<QueryResult>): Promise<QueryResult> {
  try {
    return await send()
  } catch (error) {
    if (failureOf(error) !== 'lost') throw storageError(error, what)
    // Whatever the second one says, what became of the first is not known.
    return send().catch(() => Promise.reject(storageError(error, what)))
  }
}
