import type { Command, Option } from './command.ts'
import { Given } from './given.ts'
import { closest } from './closest.ts'
import { meantCommand } from './meant-command.ts'
import { UsageError } from './usage-error.ts'

/**
 * Parses a command line.
 *
 * A reserved word is a command, unless `-p` or `--` came before it: then it is part of a task. Options may come before
 * the command: `loader -C folder sessions`.
 */
export function parse(words: readonly string[], commands: readonly Command[], main: Command): Given {
  const { command, rest } = commandOf(words, commands, main)
  const values = new Map<string, (string | true)[]>()
  const plain: string[] = []
  const waiting = [...rest]
  for (let word = waiting.shift(); word !== undefined; word = waiting.shift()) {
    if (word === '--') {
      plain.push(...waiting.splice(0))
    } else if (isOption(word)) {
      take(command, waiting, values, apart(command, word))
    } else plain.push(word)
  }
  if (!values.has('help')) requireWords(command, plain)
  return new Given(command, plain, values)
}

function commandOf(words: readonly string[], commands: readonly Command[], main: Command) {
  const at = firstPlain(words, main)
  const [first, second] = [words[at] ?? '', words[at + 1] ?? '']
  if (at < 0 || first === '') return { command: main, rest: words }
  const before = words.slice(0, at)
  const two = commands.find(({ name }) => name === `${first} ${second}`)
  if (two !== undefined) return { command: two, rest: [...before, ...words.slice(at + 2)] }
  const one = commands.find(({ name }) => name === first)
  if (one !== undefined) return { command: one, rest: [...before, ...words.slice(at + 1)] }
  const group = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (group.length === 0) {
    // What stands behind -c and -r is said to a session: `loader -c continue`.
    const meant = before.some((word) => /^(?:-[cr]|--continue|--resume)/.test(word))
      ? undefined
      : meantCommand(words.slice(at), commands)
    if (meant === undefined) return { command: main, rest: words }
    throw new UsageError(`There is no command ${JSON.stringify(first)}. Did you mean ${meant}? ${orTask}`, '')
  }
  const names = group.map(({ name }) => name.slice(first.length + 1)).join(', ')
  throw new UsageError(`loader ${first} needs to know what to do: ${names}. ${orTask}`, group[0]?.name)
}

const orTask = 'If it is a task, put -- before it.'

/**
 * The index of the first word that is neither an option nor its value; -1 after `-p` and `--`, which rule out a
 * command.
 */
function firstPlain(words: readonly string[], main: Command): number {
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (word === '--') return -1
    if (!isOption(word)) return index
    for (const { written, joined } of apart(main, word)) {
      const option = main.options.find((one) => isCalled(one, written))
      if (option?.name === 'print') return -1
      if (option?.value !== undefined && joined === undefined && isValue(words[index + 1])) index++
    }
  }
  return -1
}

interface Written {
  readonly written: string
  readonly joined: string | undefined
}

/**
 * Splits `--name=value` in two, `-pc` into `-p -c`, `-mollama/x` into `-m ollama/x`; rewrites `--maxTurns` to
 * `--max-turns`.
 */
function apart({ options }: Command, word: string): Written[] {
  const equals = word.indexOf('=')
  if (word.startsWith('--')) {
    const name = equals < 0 ? word : word.slice(0, equals)
    return [{ written: kebab(name), joined: equals < 0 ? undefined : word.slice(equals + 1) }]
  }
  const found: Written[] = []
  for (let index = 1; index < word.length; index++) {
    const written = `-${word[index]}`
    const rest = word.slice(index + 1)
    const takesValue = options.find((one) => isCalled(one, written))?.value !== undefined
    if (rest.startsWith('=') || (takesValue && rest !== '')) {
      return [...found, { written, joined: rest.replace(/^=/, '') }]
    }
    found.push({ written, joined: undefined })
  }
  return found
}

function kebab(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function take(
  command: Command,
  waiting: string[],
  values: Map<string, (string | true)[]>,
  parts: readonly Written[],
): void {
  for (const { written, joined } of parts) {
    const option = optionOf(command, written)
    const given = values.get(option.name) ?? []
    const value = valueOf(command, option, { written, joined, waiting })
    if (given.length > 0 && option.value !== undefined && !option.repeated) {
      throw new UsageError(`${written} was given twice.`, command.name)
    }
    values.set(option.name, [...given, value])
  }
}

/**
 * The value of an option, taken from the following words if necessary; true for a switch, or if the value was omitted.
 */
function valueOf(command: Command, option: Option, { written, joined, waiting }: Written & { waiting: string[] }) {
  if (option.value === undefined) {
    if (joined === undefined) return true
    throw new UsageError(`${written} is a switch and takes no value.`, command.name)
  }
  if (joined === undefined && !isValue(waiting[0])) {
    if (option.optional) return true
    throw new UsageError(`${written} needs a value: ${written} <${option.value}>.`, command.name)
  }
  const value = joined ?? waiting.shift() ?? ''
  if (option.choices === undefined || option.choices.includes(value)) return value
  const choices = option.choices.join(', ')
  throw new UsageError(`${written} cannot be ${JSON.stringify(value)}. It is one of: ${choices}.`, command.name)
}

function isOption(word: string): boolean {
  return word.startsWith('-') && word !== '-'
}

function isValue(word: string | undefined): boolean {
  return word !== undefined && !isOption(word)
}

function isCalled({ name, short }: Option, written: string): boolean {
  return written === `--${name}` || (short !== undefined && written === `-${short}`)
}

function optionOf({ name: command, options }: Command, written: string): Option {
  const found = options.find((option) => isCalled(option, written))
  if (found !== undefined) return found
  const near = closest(
    written,
    options.map(({ name }) => `--${name}`),
  )
  const hint = near === undefined ? '' : ` Did you mean ${near}?`
  const task = command === '' ? '' : ` ${orTask}`
  throw new UsageError(`${written} is not an option of loader${command && ` ${command}`}.${hint}${task}`, command)
}

function requireWords({ name, positionals }: Command, words: readonly string[]): void {
  const missing = positionals.filter(({ required }) => required)[words.length]
  if (missing !== undefined) throw new UsageError(`loader ${name} needs <${missing.name}>: ${missing.summary}.`, name)
  if (positionals.some(({ rest }) => rest) || words.length <= positionals.length) return
  throw new UsageError(`loader ${name} cannot use ${JSON.stringify(words[positionals.length])}. ${orTask}`, name)
}
