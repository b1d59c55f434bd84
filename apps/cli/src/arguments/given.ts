import type { Command } from './command.ts'

/** The parsed command line, valid according to the command's table. */
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

  /** The last value given; undefined if there is none or it was omitted. */
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
