import { systemProgram } from './shell/program-name.ts'
import type { ShellWord } from './shell/shell-word.ts'

/** Removes programs that only measure, limit or detach a command: `timeout 5 nice git log` becomes `git log`. */
export function unwrapped(words: readonly ShellWord[]): readonly ShellWord[] {
  const [name, ...args] = words
  if (name?.kind !== 'fixed') return words
  const skip = skipped(
    systemProgram(name.value),
    args.map(({ value }) => value),
  )
  return skip === undefined || skip >= args.length ? words : unwrapped(args.slice(skip))
}

/** How many arguments belong to the wrapper; undefined if the program is none, or has options not listed here. */
function skipped(program: string, args: readonly string[]): number | undefined {
  switch (program) {
    case 'command':
    case 'nohup':
    case 'time':
      return args[0]?.startsWith('-') === true ? undefined : 0
    case 'timeout':
    case 'gtimeout':
      return /^\d/.test(args[0] ?? '') ? 1 : undefined
    case 'nice':
      if (args[0] === '-n') return 2
      return args[0]?.startsWith('-') === true ? undefined : 0
    case 'xargs':
      return xargsOptions(args)
    default:
      return undefined
  }
}

function xargsOptions(args: readonly string[]): number | undefined {
  let index = 0
  while (args[index]?.startsWith('-') === true) index += /^-[nPLId]$/.test(args[index] ?? '') ? 2 : 1
  return index
}
