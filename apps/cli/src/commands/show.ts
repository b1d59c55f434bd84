import type { Recording } from '@loader/session-core'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { chooseSession, type ChosenSession, fullTexts } from '../sessions/chosen-session.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { type Paint, paintFor } from '../screen/paint.ts'
import { printJson, printLines } from '../console/print.ts'
import { inLines, showReading, type ShowOutput } from '@loader/readings'
import { conversationLines } from '../views/conversation-lines.ts'
import { sessionHead } from '../views/session-head.ts'
import { wholeNumber } from '../arguments/whole-number.ts'

/** Prints the conversation as it is now, or as it was after an event. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const chosen = await chooseSession(given, console)
  const at = wholeNumber(given, 'at')
  const recording = upTo(chosen, at)
  const texts = given.has('full') ? await fullTexts(chosen, recording) : new Map<string, string>()
  const output = showReading(recording, { at: at ?? null, texts })
  if (output === null) throw new UsageError(`Session ${chosen.row.id} has no event to show.`, 'show')
  if (given.has('json')) {
    printJson(console, output)
    return 'ok'
  }
  const options = { width: columnsOf(console), paint: paintFor(given, console) }
  const extent = given.has('full') ? 'full' : 'short'
  const said = conversationLines(output.entries, { ...options, extent })
  printLines(console, [
    ...sessionHead(chosen.row, { ...options, now: Date.now() }),
    ...(said.length === 0 ? [] : ['', ...said]),
    ...openLines(output, options.paint),
  ])
  return 'ok'
}

function upTo({ recording, row }: ChosenSession, at: number | undefined): Recording {
  if (at === undefined) return recording
  const last = recording.at(-1)?.seq ?? 0
  if (at <= last) return recording.filter(({ seq }) => seq <= at)
  throw new UsageError(`Session ${row.id} has no event ${at}: its events end at ${last}.`, 'show')
}

function openLines({ arriving, waiting }: ShowOutput, paint: Paint): string[] {
  return [
    ...(arriving === null ? [] : ['', paint('yellow', 'Arriving'), ...inLines(arriving).map((line) => `  ${line}`)]),
    ...waiting.flatMap(({ text }) => ['', paint('cyan', 'You, waiting'), ...inLines(text).map((line) => `  ${line}`)]),
  ]
}
