import { promptHistory } from '@loader/session-core'
import type { PromptSnapshot } from '@loader/session-core/coding'
import type { Given } from '../arguments/given.ts'
import { chooseSession, fullTexts } from '../sessions/chosen-session.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { type Paint, paintFor } from '../screen/paint.ts'
import { printJson, printLines } from '../console/print.ts'
import { fullTime, inLines, inOneLine, type PromptDiffOutput, promptDiffReading } from '@loader/readings'
import { wrap } from '../screen/width.ts'

/** Prints the difference between the last two system prompts. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const chosen = await chooseSession(given, console)
  const { history, state } = chosen
  const texts = await fullTexts(chosen, promptHistory(history).slice(-2))
  const output = promptDiffReading(history, state, texts)
  if (given.has('json')) printJson(console, output)
  else printLines(console, promptDiffLines(output, { width: columnsOf(console), paint: paintFor(given, console) }))
  return 'ok'
}

function promptDiffLines(
  { session, before, after, sections, diff }: PromptDiffOutput,
  { width, paint }: { readonly width: number; readonly paint: Paint },
): string[] {
  if (before === null || after === null) {
    const count = after === null ? 'no prompt' : 'one prompt'
    return wrap(`Session ${session.id} has used ${count} so far; there is nothing to compare.`, width)
  }
  const told = Object.entries(sections).flatMap(([how, names]) =>
    names.length === 0 ? [] : [inOneLine(`sections ${how}: ${names.join(', ')}`)],
  )
  const lines = diff === '' ? ['The texts are equal.'] : inLines(diff).map((line) => coloured(line, paint))
  return [paint('bold', `--- ${place(before)}`), paint('bold', `+++ ${place(after)}`), ...told, ...lines]
}

function place({ seq, at, workflowMode }: PromptSnapshot): string {
  return `${fullTime(at)} #${seq}, mode ${workflowMode}`
}

function coloured(line: string, paint: Paint): string {
  if (line.startsWith('+')) return paint('green', line)
  if (line.startsWith('-')) return paint('red', line)
  return line.startsWith('@@') ? paint('cyan', line) : line
}
