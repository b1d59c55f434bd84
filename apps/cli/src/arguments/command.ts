import type { Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import type { Given } from './given.ts'

export interface Option {
  /** Without the leading `--`. */
  readonly name: string
  readonly short?: string
  /** The name of its value in the help; an option without one is a switch. */
  readonly value?: string
  /** The allowed values. */
  readonly choices?: readonly string[]
  /** The value may be omitted. */
  readonly optional?: true
  /** It may be given several times. */
  readonly repeated?: true
  readonly summary: string
}

export interface Positional {
  readonly name: string
  readonly summary: string
  readonly required?: true
  /** It takes all remaining words. */
  readonly rest?: true
}

/** One command; parser, help, completion and documentation are generated from it. */
export interface Command {
  /** One word, or two if the command belongs to a group: `permissions add`. */
  readonly name: string
  readonly summary: string
  readonly options: readonly Option[]
  readonly positionals: readonly Positional[]
  /** Lines at the end of its help: examples and limitations. */
  readonly notes?: readonly string[]
  load(): Promise<{ readonly run: Run }>
}

/** Every command that `loader` has. */
export interface CommandTable {
  readonly main: Command
  readonly commands: readonly Command[]
}

/** The program, as commands see it. */
export interface Program extends CommandTable {
  /** Runs another command line and returns its exit code. */
  start(words: readonly string[], console: Console): Promise<number>
}

/** Runs a command. Its code is loaded only for this call. */
type Run = (given: Given, console: Console, program: Program) => Promise<ExitCode>
