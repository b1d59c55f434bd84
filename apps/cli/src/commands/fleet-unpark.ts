import { LoaderError } from '@loader/session-core'
import { Dispatch } from '@loader/session-postgres/dispatch'
import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printLines } from '../console/print.ts'
import { requiredStore } from '../fleet/required-store.ts'
import { databaseStore } from '../sessions/database-store.ts'
import { requireSession } from '../sessions/find-session.ts'

/** Lets workers take a parked session again. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const store = databaseStore(await requiredStore(given, console))
  try {
    const { id } = await requireSession(store, given.words[0])
    if (!(await new Dispatch(store).unpark(id))) {
      throw new LoaderError('unsupported', `Session ${id} is not parked. See which are: loader fleet`)
    }
    printLines(console, [`Workers may take ${id} again.`])
    return 'ok'
  } finally {
    await store.close()
  }
}
