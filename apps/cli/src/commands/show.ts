import type { History } from '@loader/session-core'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { chooseSession, type ChosenSession, shownTexts } from '../sessions/chosen-session.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { openQuestion } from '../fleet/open-question.ts'
import { type Paint, paintFor } from '../screen/paint.ts'
import { wrap } from '../screen/width.ts'
import { writerOf } from '../sessions/writer-of.ts'
import { printJson, printLines } from '../console/print.ts'
import { inLines, showReading, type ShowOutput, type Texts } from '@loader/readings'
import { conversationLines } from '../views/conversation-lines.ts'
import { sessionHeading } from '../views/session-heading.ts'
import { wholeNumber } from '../arguments/whole-number.ts'

/** Prints the conversation as it is now, or as it was after an event. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const chosen = await chooseSession(given, console)
  const at = wholeNumber(given, 'at')
  const history = upTo(chosen, at)
  const reading = (texts: Texts) => showReading(history, { at: at ?? null, texts })
  const output = reading(given.has('full') ? await shownTexts(chosen, reading) : new Map())
  if (output === null) throw new UsageError(`Session ${chosen.row.id} has no event to show.`, 'show')
  if (given.has('json')) {
    printJson(console, output)
    return 'ok'
  }
  const options = { width: columnsOf(console), paint: paintFor(given, console) }
  const extent = given.has('full') ? 'full' : 'short'
  const said = conversationLines(output.entries, { ...options, extent })
  printLines(console, [
    ...sessionHeading(chosen.row, { ...options, now: Date.now() }),
    ...(said.length === 0 ? [] : ['', ...said]),
    ...openLines(output, options.paint),
    ...(at === undefined ? await askedLines(chosen, options) : []),
  ])
  return 'ok'
}

function upTo({ history, row }: ChosenSession, at: number | undefined): History {
  if (at === undefined) return history
  const last = history.at(-1)?.seq ?? 0
  if (at <= last) return history.filter(({ seq }) => seq <= at)
  throw new UsageError(`Session ${row.id} has no event ${at}: its events end at ${last}.`, 'show')
}

function openLines({ arriving, waiting }: ShowOutput, paint: Paint): string[] {
  return [
    ...(arriving === null ? [] : ['', paint('yellow', 'Arriving'), ...inLines(arriving).map((line) => `  ${line}`)]),
    ...waiting.flatMap(({ text }) => ['', paint('cyan', 'You, waiting'), ...inLines(text).map((line) => `  ${line}`)]),
  ]
}

/** The question that waits for the user, and where it can be answered. */
async function askedLines(
  { state, store }: ChosenSession,
  { paint, width }: { readonly paint: Paint; readonly width: number },
): Promise<string[]> {
  const question = openQuestion(state)
  if (question === undefined) return []
  const writer = await writerOf(store, state.id)
  const where =
    writer === null
      ? `The process that asked has ended. Go on with your answer: loader -r ${state.id}`
      : `The session is ${writer}. Answer there, or in the page: loader web`
  const lines = [question.line, where].flatMap((text) => wrap(text, width - 2)).map((line) => `  ${line}`)
  return ['', paint('yellow', 'Waits for your answer'), ...lines]
}
