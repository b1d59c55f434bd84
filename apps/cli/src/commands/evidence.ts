import type { Given } from '../arguments/given.ts'
import { chooseSession, fullTexts } from '../sessions/chosen-session.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { paintFor } from '../screen/paint.ts'
import { printJson, printLines } from '../console/print.ts'
import { evidenceReading } from '@loader/readings'
import { evidenceLines } from '../views/evidence-lines.ts'
import { sessionHeading } from '../views/session-heading.ts'

/** Prints the criteria of the task, with the results of their checks. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const chosen = await chooseSession(given, console)
  const { row, state } = chosen
  const texts = given.has('full') ? await fullTexts(chosen, state.evidence) : undefined
  const output = evidenceReading(state, texts)
  if (given.has('json')) {
    printJson(console, output)
    return 'ok'
  }
  const options = { width: columnsOf(console), paint: paintFor(given, console), now: Date.now() }
  const extent = given.has('full') ? 'full' : 'short'
  printLines(console, [...sessionHeading(row, options), '', ...evidenceLines(output, { ...options, extent })])
  return 'ok'
}
