import type { CommandTable } from '../arguments/command.ts'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { bashCompletion } from '../completion/bash.ts'
import { fishCompletion } from '../completion/fish.ts'
import { zshCompletion } from '../completion/zsh.ts'
import type { Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'

/** Prints a script for shell completion, generated from the table of the parser. */
export async function run(given: Given, { stdout }: Console, table: CommandTable): Promise<ExitCode> {
  const shell = given.words[0] ?? ''
  stdout.write(`${scriptFor(shell, table)}\n`)
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
