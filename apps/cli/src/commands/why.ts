import type { Given } from '../arguments/given.ts'
import { chooseSession } from '../sessions/chosen-session.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { paintFor } from '../screen/paint.ts'
import { printJson, printLines } from '../console/print.ts'
import { whyReading } from '@loader/readings'
import { sessionHeading } from '../views/session-heading.ts'
import { whyLines } from '../views/why-lines.ts'
import { writerOf } from '../sessions/writer-of.ts'

/** Explains why the last turn ended, or what the open one waits for. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const { row, state, history, store } = await chooseSession(given, console)
  const output = whyReading(history, state, await writerOf(store, row.id))
  if (given.has('json')) {
    printJson(console, output)
    return 'ok'
  }
  const options = { width: columnsOf(console), paint: paintFor(given, console), now: Date.now() }
  printLines(console, [...sessionHeading(row, options), '', ...whyLines(output, options)])
  return 'ok'
}
