import { promptHistory, shownText } from '@loader/session-core'
import type { PromptSnapshot } from '@loader/session-core/coding'
import type { Given } from '../arguments/given.ts'
import { chooseSession, fullTexts } from '../sessions/chosen-session.ts'
import type { Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { printNotes } from '../screen/notes.ts'
import { fullTime, inLines, inOneLine, promptReading } from '@loader/readings'

/** Prints the latest system prompt. Facts about it go to standard error, so that standard output has the text alone. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const chosen = await chooseSession(given, console)
  const { row, state, history } = chosen
  const texts = await fullTexts(chosen, promptHistory(history).at(-1))
  const output = promptReading(history, state, texts)
  const { prompt, count } = output
  if (given.has('json')) printJson(console, output)
  else if (prompt === null) printLines(console, [`Session ${row.id} has made no request yet, so it has no prompt.`])
  else {
    printNotes(console, [aboutPrompt(prompt, count)])
    printLines(console, inLines(shownText(prompt.text ?? '')))
  }
  return 'ok'
}

function aboutPrompt({ at, seq, format, workflowMode, sections }: PromptSnapshot, count: number): string {
  const names = sections.map(({ name }) => name).join(', ')
  return inOneLine(
    `Prompt ${count} of ${count}, from ${fullTime(at)} (#${seq}): format ${format}, mode ${workflowMode}, sections ${names}`,
  )
}
