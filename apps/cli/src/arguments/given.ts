import type { Command } from './command.ts'

/** What was given on the command line, checked against the command's table. */
export class Given {
  readonly command: Command
  readonly words: readonly string[]
  readonly #values: ReadonlyMap<string, readonly (string | true)[]>

  constructor(command: Command, words: readonly string[], values: ReadonlyMap<string, readonly (string | true)[]>) {
    this.command = command
    this.words = words
    this.#values = values
  }

  /** Whether the option was given at all. */
  has(name: string): boolean {
    return this.#valuesOf(name).length > 0
  }

  /** The value that was given last; undefined when there is none, or when it was left out. */
  value(name: string): string | undefined {
    const last = this.#valuesOf(name).at(-1)
    return last === true ? undefined : last
  }

  /** Every value, in order. */
  values(name: string): string[] {
    return this.#valuesOf(name).filter((value) => value !== true)
  }

  #valuesOf(name: string): readonly (string | true)[] {
    if (!this.command.options.some((option) => option.name === name)) {
      throw new TypeError(`Command ${this.command.name} has no option --${name} in its table.`)
    }
    return this.#values.get(name) ?? []
  }
}
