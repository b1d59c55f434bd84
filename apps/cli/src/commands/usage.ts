import { type UsageOutput, usedModels, usedTurns } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { paintFor } from '../screen/paint.ts'
import { chooseSession } from '../sessions/chosen-session.ts'
import { usageTable } from '../tables/usage-table.ts'
import { sessionHead } from '../views/session-head.ts'

/** Tokens, requests and calls, turn by turn and in all. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const { row, state, recording } = await chooseSession(given, console)
  const output: UsageOutput = {
    session: { id: row.id, title: row.title, seq: state.seq },
    turns: usedTurns(recording, state),
    models: usedModels(recording),
    total: state.usage,
  }
  if (given.has('json')) {
    printJson(console, output)
    return 'ok'
  }
  const options = { width: columnsOf(console), paint: paintFor(given, console), now: Date.now() }
  printLines(console, [...sessionHead(row, options), '', ...usageTable(output, options)])
  return 'ok'
}
