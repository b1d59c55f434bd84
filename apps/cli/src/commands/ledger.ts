import type { Given } from '../arguments/given.ts'
import { chooseSession } from '../sessions/chosen-session.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { paintFor } from '../screen/paint.ts'
import { printJson, printLines } from '../console/print.ts'
import { ledgerReading } from '@loader/readings'
import { ledgerLines } from '../views/ledger-lines.ts'
import { sessionHeading } from '../views/session-heading.ts'

/** Prints the assumptions, acceptance anchors and decision boundaries of the task. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const { row, state } = await chooseSession(given, console)
  const output = ledgerReading(state)
  if (given.has('json')) {
    printJson(console, output)
    return 'ok'
  }
  const options = { width: columnsOf(console), paint: paintFor(given, console), now: Date.now() }
  printLines(console, [...sessionHeading(row, options), '', ...ledgerLines(output.ledger, options)])
  return 'ok'
}
