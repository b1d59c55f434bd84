import { nameOf } from './commands/judge-command.ts'
import type { ReadCommand, ShellReading } from './shell/reading.ts'
import type { ShellWord } from './shell/shell-word.ts'

/**
 * The words of a command line that can be paths. Text that is only shown, searched for, or written down as a message is
 * left out, as long as it does not flow into another command.
 */
export function namedWords({ commands, words }: ShellReading): ShellWord[] {
  return [...commands.flatMap(pathWords), ...words]
}

/** The same as texts: the values of options on their own too, and whatever may be meant from another folder. */
export function namedPaths(reading: ShellReading): string[] {
  const paths = namedWords(reading).flatMap(({ value: word }) => {
    const value = word.replace(/^file:\/\//i, '')
    const equals = value.indexOf('=')
    return equals === -1 ? [value] : [value, value.slice(equals + 1)]
  })
  const folders = reading.commands.flatMap(({ words }) =>
    /^(?:cd|pushd)$/.test(words[0]?.value ?? '') ? words.slice(1).map(({ value }) => value) : [],
  )
  const fromThere = folders
    .slice(0, mostFolders)
    .flatMap((folder) => paths.filter((path) => /^[^/~-]/.test(path)).map((path) => `${folder}/${path}`))
  return [...paths, ...fromThere]
}

const mostFolders = 8

function pathWords({ words, flows, judgement }: ReadCommand): readonly ShellWord[] {
  const [name, ...args] = words
  if (name === undefined) return []
  const isProbe = judgement.level === 'probe'
  switch (nameOf(name.value)) {
    case 'echo':
    case 'printf':
      return flows ? args : []
    case 'grep':
    case 'egrep':
    case 'fgrep':
    case 'rg':
    case 'sed':
    case 'jq':
      return isProbe ? withoutFirstOperand(args.filter((word) => !leavesOut.test(word.value))) : args
    case 'find':
      return isProbe ? args.slice(0, firstTest(args)) : withoutValues(args, patternTests)
    case 'git':
      return withoutValues(args, messages).filter((word) => !leavesOut.test(word.value))
    default:
      return [name, ...args.filter((word) => !leavesOut.test(word.value))]
  }
}

/** Options that say what not to touch, or what to look for. */
const leavesOut = /^(?:--(?:exclude|ignore|glob|iglob|grep)[\w-]*=|-g.)/
const messages = new Set(['-m', '--message', '-S', '-G', '--grep', '--author'])
const patternTests = new Set(
  '-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname'.split(' '),
)

function withoutFirstOperand(args: readonly ShellWord[]): readonly ShellWord[] {
  if (args.some(({ value }) => /^(?:-[a-zA-Z]*[ef]|--(?:regexp|file|expression)(?:=|$))/.test(value))) return args
  const at = args.findIndex(({ value }) => !value.startsWith('-'))
  return args.filter((_, index) => index !== at)
}

function withoutValues(args: readonly ShellWord[], names: ReadonlySet<string>): readonly ShellWord[] {
  return args.filter((_, index) => !names.has(args[index - 1]?.value ?? ''))
}

function firstTest(args: readonly ShellWord[]): number {
  const at = args.findIndex(({ value }) => /^[-!(]/.test(value))
  return at === -1 ? args.length : at
}
