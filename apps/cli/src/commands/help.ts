import type { CommandTable } from '../arguments/command.ts'
import type { Given } from '../arguments/given.ts'
import { helpFor, helpOverview } from '../arguments/help.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { columnsOf, type Console } from '../console/console.ts'
import { isTopic, topics } from '../arguments/topics.ts'
import type { ExitCode } from '../console/exit-codes.ts'

/** Prints the overview, the help of one command or group, a page of the documentation, or both where both are there. */
export async function run(given: Given, console: Console, { main, commands }: CommandTable): Promise<ExitCode> {
  const name = given.words.join(' ')
  const columns = Math.min(columnsOf(console), 100)
  const found = commands.filter((command) => command.name === name || command.name.startsWith(`${name} `))
  if (name !== '' && found.length === 0 && !isTopic(name)) {
    const pages = Object.keys(topics).join(', ')
    throw new UsageError(`There is no command ${JSON.stringify(name)}. Pages to read: ${pages}.`, '')
  }
  const texts =
    name === '' ? [helpOverview(main, commands, columns)] : found.map((command) => helpFor(command, columns))
  if (texts.length > 0) console.stdout.write(`${texts.join('\n\n')}\n`)
  if (isTopic(name)) {
    const [{ printPage }, { paintFor }] = await Promise.all([
      import('../help/print-page.ts'),
      import('../screen/paint.ts'),
    ])
    if (texts.length > 0) console.stdout.write('\n')
    printPage(name, console, paintFor(given, console))
  }
  return 'ok'
}
