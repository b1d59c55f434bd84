import type { Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import type { Given } from './given.ts'

export interface Option {
  /** As it is written after `--`. */
  readonly name: string
  readonly short?: string
  /** What its value is called in the help; without one it is a switch. */
  readonly value?: string
  /** The values that it may have. */
  readonly choices?: readonly string[]
  /** Its value may be left out. */
  readonly optional?: true
  /** It may be given several times. */
  readonly repeated?: true
  readonly summary: string
}

export interface Positional {
  readonly name: string
  readonly summary: string
  readonly required?: true
  /** It takes every word that is left. */
  readonly rest?: true
}

/** One command, as parser, help, completion and documentation know it. */
export interface Command {
  /** One word, or two for a command in a group: `permissions add`. */
  readonly name: string
  readonly summary: string
  readonly options: readonly Option[]
  readonly positionals: readonly Positional[]
  /** Lines at the end of its help: examples, what it will not do. */
  readonly notes?: readonly string[]
  load(): Promise<{ readonly run: Run }>
}

/** All that `loader` understands. */
export interface CommandTable {
  readonly main: Command
  readonly commands: readonly Command[]
}

/** The program as a command sees it. */
export interface Program extends CommandTable {
  /** Runs another command line, and returns the number to exit with. */
  start(words: readonly string[], console: Console): Promise<number>
}

/** Does what a command is for. Nothing but this is loaded for it. */
type Run = (given: Given, console: Console, program: Program) => Promise<ExitCode>
