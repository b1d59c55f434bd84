import { promptHistory } from '@loader/session-core'
import type { PromptSnapshot } from '@loader/session-core/coding'
import { fullTime, inLines, inOneLine, type PromptShowOutput } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines, printNotes } from '../console/print.ts'
import { chooseSession, fullText } from '../sessions/chosen-session.ts'

/** The system prompt that was used last. What is known about it goes to standard error, so that the text stands alone. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const chosen = await chooseSession(given, console)
  const { row, state, recording } = chosen
  const history = promptHistory(recording)
  const latest = history.at(-1)
  const prompt = latest === undefined ? null : { ...latest, text: await fullText(chosen, latest.text ?? '') }
  const session = { id: row.id, title: row.title, seq: state.seq }
  const output: PromptShowOutput = { session, prompt, count: history.length }
  if (given.has('json')) printJson(console, output)
  else if (prompt === null) printLines(console, [`Session ${row.id} has made no request yet, so it has no prompt.`])
  else {
    printNotes(console, [aboutPrompt(prompt, history.length)])
    printLines(console, inLines(prompt.text))
  }
  return 'ok'
}

function aboutPrompt({ at, seq, format, workflowMode, sections }: PromptSnapshot, count: number): string {
  const names = sections.map(({ name }) => name).join(', ')
  return inOneLine(
    `Prompt ${count} of ${count}, from ${fullTime(at)} (#${seq}): format ${format}, mode ${workflowMode}, sections ${names}`,
  )
}
