import { readShell } from './shell/read-shell.ts'

export interface SimpleCommand {
  /** As it is written. */
  readonly text: string
  /** Its words without quotes; what is known only when it runs stays as it is written. */
  readonly words: readonly string[]
}

export interface SplitCommand {
  /** Every command that the line may run: behind operators, in substitutions, in text for other shells, behind wrappers. */
  readonly commands: readonly SimpleCommand[]
  /** Whether these are all: nothing is hidden in what cannot be read before it runs. */
  readonly complete: boolean
}

/** The single commands of a command line. */
export function splitCommand(command: string): SplitCommand {
  const { commands, constructs } = readShell(command)
  return {
    commands: commands.map(({ text, words }) => ({ text, words: words.map(({ value }) => value) })),
    complete: ![...commands.map(({ judgement }) => judgement), ...constructs].some(({ hides }) => hides),
  }
}
