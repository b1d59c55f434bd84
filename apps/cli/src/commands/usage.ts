import type { Given } from '../arguments/given.ts'
import { chooseSession } from '../sessions/chosen-session.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { paintFor } from '../screen/paint.ts'
import { printJson, printLines } from '../console/print.ts'
import { usageReading } from '@loader/readings'
import { usageTable } from '../tables/usage-table.ts'
import { sessionHeading } from '../views/session-heading.ts'

/** Prints tokens, requests and calls by turn, and their totals. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const { row, state, history } = await chooseSession(given, console)
  const output = usageReading(history, state)
  if (given.has('json')) {
    printJson(console, output)
    return 'ok'
  }
  const options = { width: columnsOf(console), paint: paintFor(given, console), now: Date.now() }
  printLines(console, [...sessionHeading(row, options), '', ...usageTable(output, options)])
  return 'ok'
}
