import type { CommandTable } from '../arguments/command.ts'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { bashCompletion } from '../completion/bash.ts'
import { fishCompletion } from '../completion/fish.ts'
import { zshCompletion } from '../completion/zsh.ts'
import type { Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'

/** Prints a script for shell completion, generated from the table of the parser; or the words that the scripts ask for. */
export async function run(given: Given, console: Console, table: CommandTable): Promise<ExitCode> {
  const shell = given.words[0] ?? ''
  if (shell === 'sessions' || shell === 'models') {
    const { printModels, printSessions } = await import('../completion/known-words.ts')
    await (shell === 'sessions' ? printSessions : printModels)(given, console)
    return 'ok'
  }
  console.stdout.write(`${scriptFor(shell, table)}\n`)
  return 'ok'
}

function scriptFor(shell: string, table: CommandTable): string {
  switch (shell) {
    case 'bash':
      return bashCompletion(table)
    case 'zsh':
      return zshCompletion(table)
    case 'fish':
      return fishCompletion(table)
    default:
      throw new UsageError(
        `There is completion for bash, zsh and fish, not for ${JSON.stringify(shell)}.`,
        'completion',
      )
  }
}
