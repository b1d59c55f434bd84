import { ledgerHighlights } from '@loader/workflow'
import type { LedgerOutput } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { paintFor } from '../screen/paint.ts'
import { chooseSession } from '../sessions/chosen-session.ts'
import { ledgerLines } from '../views/ledger-lines.ts'
import { sessionHead } from '../views/session-head.ts'

/** What the task rests on: assumptions, what will be accepted, and what is the user's to decide. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const { row, state } = await chooseSession(given, console)
  const { ledger, seq } = state
  const output: LedgerOutput = {
    session: { id: row.id, title: row.title, seq },
    ledger,
    highlights: ledgerHighlights(ledger),
  }
  if (given.has('json')) {
    printJson(console, output)
    return 'ok'
  }
  const options = { width: columnsOf(console), paint: paintFor(given, console), now: Date.now() }
  printLines(console, [...sessionHead(row, options), '', ...ledgerLines(ledger, options)])
  return 'ok'
}
