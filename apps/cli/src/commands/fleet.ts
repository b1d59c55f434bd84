import { Dispatch } from '@loader/session-postgres/dispatch'
import type { Given } from '../arguments/given.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { fleetReading } from '../fleet/fleet-reading.ts'
import { requiredStore } from '../fleet/required-store.ts'
import { paintFor } from '../screen/paint.ts'
import { databaseStore } from '../sessions/database-store.ts'
import { fleetTable } from '../tables/fleet-table.ts'

/** Prints the workers of a database, and the sessions that wait for them. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const store = databaseStore(await requiredStore(given, console))
  try {
    const output = await fleetReading(new Dispatch(store))
    if (given.has('json')) printJson(console, output)
    else printLines(console, fleetTable(output, { width: columnsOf(console), paint: paintFor(given, console) }))
    return 'ok'
  } finally {
    await store.close()
  }
}
