import { changes, type Judge, type Judgement, judged } from '../shell/judgement.ts'
import { worst } from '../shell/level.ts'
import { options, scan } from '../shell/options.ts'
import type { ShellWord } from '../shell/shell-word.ts'

const known = options(
  `-nErszu -e= -f= -l= -i? --quiet --silent --regexp-extended --separate --null-data --unbuffered --posix --debug --sandbox
   --follow-symlinks --expression= --file= --line-length= --in-place?`,
)

/** `sed` looks as long as its script neither writes nor runs anything and no file is changed in place. */
export const judgeSed: Judge = (args, standing) => {
  const scanned = scan(args, known)
  if (!scanned.fits) return judged(scanned.level, scanned.why)
  const { given, operands, loose } = scanned
  if (loose !== undefined) return judged('run', `a file that ${loose.text} matches could be taken for an option`)
  const has = (...names: readonly string[]) => given.filter(({ name }) => names.includes(name))
  const scripts = has('-e', '--expression').map(({ value }) => value)
  const inFiles = has('-f', '--file').length > 0
  const files = scripts.length > 0 || inFiles ? operands : operands.slice(1)
  if (scripts.length === 0 && !inFiles) scripts.push(operands[0])
  const script = inFiles ? judged('run', 'its script is in a file') : judgeScripts(scripts)
  const inPlace = has('-i', '--in-place')
  if (inPlace.length === 0) return script
  if (inPlace.some(({ value }) => value !== undefined && !/^[\w.~-]*$/.test(value.value))) {
    return judged('ask', 'keeps the old files in a place that is not plain')
  }
  const changed = changes(files, standing)
  return worst([script.level, changed.level]) === changed.level ? changed : script
}

function judgeScripts(words: readonly (ShellWord | undefined)[]): Judgement {
  if (words.some((word) => word?.kind !== 'fixed')) return judged('run', 'its script is known only when it runs')
  const script = words.map((word) => word?.value ?? '').join('\n')
  if (!onlyEdits(script) && /[wW]\s*(?:[/~]|\.\.)/.test(script)) return judged('ask', 'its script may write outside')
  return onlyEdits(script) ? judged('probe', 'only looks') : judged('run', 'its script may write files or run commands')
}

/**
 * Whether a script consists of commands that only change what is printed. What is not understood for certain, such as
 * a delimiter within brackets, counts as no.
 */
function onlyEdits(script: string): boolean {
  let rest = script
  while (rest !== '') {
    const after = afterCommand(rest)
    if (after === undefined) return false
    rest = after
  }
  return true
}

/** What follows the first command, or undefined when that is not a plain one. */
function afterCommand(script: string): string | undefined {
  const blank = /^[\s;{}]+|^#[^\n]*/.exec(script)
  if (blank !== null) return script.slice(blank[0].length)
  const command = afterAddresses(script)
  if (command === undefined || command === '') return undefined
  const rest = command.slice(1)
  switch (command.charAt(0)) {
    case '{':
    case '}':
      return rest
    case 's':
      return afterFlags(afterDelimited(rest, 2))
    case 'y':
      return afterEnd(afterDelimited(rest, 2))
    case 'a':
    case 'i':
    case 'c':
      return /\\\n/.test(rest) ? undefined : rest.replace(/^[^\n]*/, '')
    case ':':
    case 'b':
    case 't':
    case 'T':
      return rest.replace(/^[^\n;}]*/, '')
    case 'l':
    case 'q':
    case 'Q':
      return afterEnd(rest.replace(/^\s*\d*/, ''))
    case '=':
    case 'd':
    case 'D':
    case 'g':
    case 'G':
    case 'h':
    case 'H':
    case 'n':
    case 'N':
    case 'p':
    case 'P':
    case 'x':
      return afterEnd(rest)
    default:
      return undefined
  }
}

function afterAddresses(script: string): string | undefined {
  const one = afterAddress(script)
  if (one === undefined) return undefined
  const comma = /^\s*,\s*/.exec(one)
  const both = comma === null ? one : afterAddress(one.slice(comma[0].length))
  return both?.replace(/^[\s!]*/, '')
}

function afterAddress(script: string): string | undefined {
  const plain = /^(?:\d+(?:~\d+)?|[$]|[+~]\d+)/.exec(script)
  if (plain !== null) return script.slice(plain[0].length)
  if (script.startsWith('/')) return afterDelimited(script, 1)?.replace(/^[IM]*/, '')
  if (script.startsWith('\\')) return afterDelimited(script.slice(1), 1)?.replace(/^[IM]*/, '')
  return script
}

/** What follows so many texts, each of which ends at the delimiter with which the script begins. */
function afterDelimited(script: string, count: number): string | undefined {
  const delimiter = script.charAt(0)
  if (delimiter === '' || delimiter === '\\' || delimiter === '\n') return undefined
  let left = count
  let bracket = false
  for (let index = 1; index < script.length; index++) {
    const character = script.charAt(index)
    if (character === '\\') index++
    else if (character === delimiter) {
      // Implementations differ on a delimiter within brackets.
      if (bracket) return undefined
      if (--left === 0) return script.slice(index + 1)
    } else if (left === count && character === '[') bracket = true
    else if (character === ']') bracket = false
  }
  return undefined
}

function afterFlags(script: string | undefined): string | undefined {
  return script === undefined ? undefined : afterEnd(script.replace(/^[gpiIM\d]*/, ''))
}

function afterEnd(script: string | undefined): string | undefined {
  return script !== undefined && /^\s*(?:[;}#\n]|$)/.test(script) ? script.replace(/^[ \t]*/, '') : undefined
}
