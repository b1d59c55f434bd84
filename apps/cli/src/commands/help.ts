import type { CommandTable } from '../arguments/command.ts'
import type { Given } from '../arguments/given.ts'
import { helpFor, helpOverview } from '../arguments/help.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'

/** Prints the overview, or the help of one command or group. */
export async function run(given: Given, console: Console, { main, commands }: CommandTable): Promise<ExitCode> {
  const name = given.words.join(' ')
  const columns = Math.min(columnsOf(console), 100)
  const found = commands.filter((command) => command.name === name || command.name.startsWith(`${name} `))
  if (name !== '' && found.length === 0) throw new UsageError(`There is no command ${JSON.stringify(name)}.`, '')
  const texts =
    name === '' ? [helpOverview(main, commands, columns)] : found.map((command) => helpFor(command, columns))
  console.stdout.write(`${texts.join('\n\n')}\n`)
  return 'ok'
}
