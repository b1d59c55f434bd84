import type { Command } from '../arguments/command.ts'
import { Given } from '../arguments/given.ts'

/** The options of a command that a run has too, as those of a run. */
export function givenForMain(given: Given, main: Command): Given {
  const shared = given.command.options.filter(({ name }) => main.options.some((option) => option.name === name))
  const values = shared
    .filter(({ name }) => given.has(name))
    .map(({ name, value }): [string, (string | true)[]] => [name, value === undefined ? [true] : given.values(name)])
  return new Given(main, [], new Map(values))
}
