import { explain, type WhyOutput } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { paintFor } from '../screen/paint.ts'
import { chooseSession } from '../sessions/chosen-session.ts'
import { writerOf } from '../sessions/writer-of.ts'
import { sessionHead } from '../views/session-head.ts'
import { whyLines } from '../views/why-lines.ts'

/** Why the last turn ended as it did, or what the open one waits for. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const { row, state, recording, store } = await chooseSession(given, console)
  const session = { id: row.id, title: row.title, seq: state.seq }
  const output: WhyOutput = { session, ...explain(state, recording, await writerOf(store, row.id)) }
  if (given.has('json')) {
    printJson(console, output)
    return 'ok'
  }
  const options = { width: columnsOf(console), paint: paintFor(given, console), now: Date.now() }
  printLines(console, [...sessionHead(row, options), '', ...whyLines(output, options)])
  return 'ok'
}
