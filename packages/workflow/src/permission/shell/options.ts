import { mayBeOption, type ShellWord } from './shell-word.ts'

/** The options that a command is known to have, and what stands behind each of them. */
export interface Options {
  readonly shorts: ReadonlyMap<string, Takes>
  readonly longs: ReadonlyMap<string, Takes>
  /** `-20` is an option. */
  readonly digits: boolean
}

/** No value, one of its own or in the next word, or one that can only be attached. */
type Takes = 'nothing' | 'value' | 'attached'

export interface Given {
  /** With its dashes. */
  readonly name: string
  readonly value?: ShellWord
}

export type Scanned =
  | {
      readonly fits: true
      readonly given: readonly Given[]
      readonly operands: readonly ShellWord[]
      /** A glob among the operands that a file with the name of an option could turn into one. */
      readonly loose?: ShellWord
    }
  | { readonly fits: false; readonly level: 'run' | 'ask'; readonly why: string }

/**
 * Reads a list such as `-abc -n= -i? -# --all --name= --color?`: three letters without a value, one with a value, one
 * with a value that is attached or absent, numbers, and long names in the same way.
 */
export function options(list: string): Options {
  const shorts = new Map<string, Takes>()
  const longs = new Map<string, Takes>([
    ['help', 'nothing'],
    ['version', 'nothing'],
  ])
  let digits = false
  for (const item of list.split(/\s+/).filter((text) => text !== '')) {
    const takes: Takes = item.endsWith('=') ? 'value' : item.endsWith('?') ? 'attached' : 'nothing'
    const name = takes === 'nothing' ? item : item.slice(0, -1)
    if (name === '-#') digits = true
    else if (name.startsWith('--')) longs.set(name.slice(2), takes)
    else for (const letter of name.slice(1)) shorts.set(letter, takes)
  }
  return { shorts, longs, digits }
}

/**
 * Tells options from operands. It fits only if every option is known by its exact name, and if no word that is known
 * only at run time could be taken for one. With `stopAtOperand`, what follows the first operand belongs to that.
 */
export function scan(args: readonly ShellWord[], known: Options, stopAtOperand: boolean = false): Scanned {
  const given: Given[] = []
  const operands: ShellWord[] = []
  let loose: ShellWord | undefined
  for (let index = 0; index < args.length; index++) {
    const word = args[index]
    if (word === undefined) break
    if (word.kind === 'open' && mayBeOption(word) && (word.splits || !attachedValue.test(word.start))) {
      const why = `${word.text} could become an option when it runs`
      return { fits: false, level: word.splits ? 'ask' : 'run', why }
    }
    if (word.value === '--' && word.kind === 'fixed') {
      operands.push(...args.slice(index + 1))
      break
    }
    if (word.kind === 'glob' || !word.value.startsWith('-') || word.value === '-') {
      if (word.kind === 'glob' && mayBeOption(word)) loose ??= word
      if (stopAtOperand) {
        operands.push(...args.slice(index))
        break
      }
      operands.push(word)
      continue
    }
    const found = word.value.startsWith('--') ? longOption(word, known) : shortOptions(word, known)
    if (found === undefined) return { fits: false, level: 'ask', why: `the option ${word.text} is not known` }
    given.push(...found.given)
    if (found.waitsFor === undefined) continue
    const value = args[index + 1]
    if (value?.splits)
      return { fits: false, level: 'ask', why: `${value.text} could become more than one word when it runs` }
    given.push({ name: found.waitsFor, ...(value && { value }) })
    index++
  }
  return { fits: true, given, operands, ...(loose && { loose }) }
}

/** The name of the option is fixed, and only its value is not. */
const attachedValue = /^--[a-z][a-z-]*=/

interface Found {
  readonly given: readonly Given[]
  /** The option whose value is the next word. */
  readonly waitsFor?: string
}

function longOption(word: ShellWord, { longs }: Options): Found | undefined {
  const equals = word.value.indexOf('=')
  const name = equals === -1 ? word.value : word.value.slice(0, equals)
  const takes = longs.get(name.slice(2))
  if (takes === undefined) return undefined
  if (equals !== -1) return takes === 'nothing' ? undefined : { given: [{ name, value: rest(word, equals + 1) }] }
  return takes === 'value' ? { given: [], waitsFor: name } : { given: [{ name }] }
}

function shortOptions(word: ShellWord, { shorts, digits }: Options): Found | undefined {
  const { value } = word
  if (digits && /^-\d+$/.test(value)) return { given: [{ name: '-#' }] }
  const given: Given[] = []
  for (let index = 1; index < value.length; index++) {
    const letter = value.charAt(index)
    const takes = shorts.get(letter)
    const name = `-${letter}`
    if (takes === undefined) return undefined
    const isLast = index === value.length - 1
    if (takes === 'nothing' || (takes === 'attached' && isLast)) given.push({ name })
    else if (isLast) return { given, waitsFor: name }
    else return { given: [...given, { name, value: rest(word, index + 1) }] }
  }
  return { given }
}

function rest(word: ShellWord, from: number): ShellWord {
  return { ...word, value: word.value.slice(from), start: word.start.slice(from) }
}

/** The values that were given with any of these options. */
export function valuesOf(given: readonly Given[], ...names: readonly string[]): ShellWord[] {
  return given.flatMap(({ name, value }) => (names.includes(name) && value !== undefined ? [value] : []))
}
