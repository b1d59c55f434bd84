import type { Command } from './arguments/command.ts'
import type { Given } from './arguments/given.ts'
import { helpFor, helpOverview } from './arguments/help.ts'
import { parse } from './arguments/parse.ts'
import { UsageError } from './arguments/usage-error.ts'
import { commands, main } from './commands/table.ts'
import { columnsOf, type Console } from './console/console.ts'
import { exitNumber } from './console/exit-codes.ts'
import { printNotes } from './screen/notes.ts'
import { failed } from './output/failed.ts'

/** Runs the command line and returns its exit code. */
export async function start(words: readonly string[], console: Console): Promise<number> {
  let given: Given
  try {
    given = parse(words, commands, main)
  } catch (error) {
    if (error instanceof UsageError) return refuse(error, words, console)
    throw error
  }
  if (given.has('help')) return print(helpOf(given.command, console), console)
  if (given.command === main && given.has('version')) return print(console.version, console)
  const { run } = await given.command.load()
  try {
    return exitNumber(await run(given, console, { main, commands, start }))
  } catch (error) {
    return exitNumber(failed(error, given, console))
  }
}

function helpOf(command: Command, console: Console): string {
  const columns = Math.min(columnsOf(console), 100)
  return command === main ? helpOverview(main, commands, columns) : helpFor(command, columns)
}

/** Programs that read events get a first and a last one for an invalid command line too. */
async function refuse(error: UsageError, words: readonly string[], console: Console): Promise<number> {
  const { message, command } = error
  const more = command === undefined || command === '' ? '' : `${command} `
  printNotes(console, [message])
  console.stderr.write(`Try: loader ${more}--help\n`)
  if (command === '' && words.some((word) => /^--(?:output-?format|json$)/i.test(word))) {
    const { printRefusal } = await import('./commands/run.ts')
    printRefusal(error, words, console)
  }
  return exitNumber('usage')
}

function print(text: string, { stdout }: Console): number {
  stdout.write(`${text}\n`)
  return exitNumber('ok')
}
