import { atMost, type CheckReading, reading } from './check-reading.ts'
import { runnerOf } from './known-runners.ts'
import { isForeign, launched, programName } from './launchers.ts'
import { narrows, type Told, toldBy } from './runner-options.ts'
import { wordSet } from './word-set.ts'

/** They succeed whatever the work is like. */
const idle = wordSet(
  'true : echo printf sleep date pwd export unset set wait local tee sort uniq sed tr cut column less',
  'more',
)
/** They show that something is there. */
const lookers = wordSet('ls stat cat head tail wc file find tree which type readlink')
/** They compare what is there with what was asked for. */
const comparers = wordSet('grep egrep fgrep rg diff cmp jq awk sha256sum md5sum xmllint')
const interpreters = wordSet('node python ruby perl php bash sh zsh dash deno bun tsx')
const parsing: ReadonlyMap<string, readonly string[]> = new Map([
  ['node', ['--check', '-c']],
  ['bash', ['-n']],
  ['sh', ['-n']],
  ['zsh', ['-n']],
  ['dash', ['-n']],
  ['ruby', ['-c']],
  ['perl', ['-c']],
  ['php', ['-l']],
])
const inline: ReadonlyMap<string, readonly string[]> = new Map([
  ['node', ['-e', '--eval', '-p', '--print']],
  ['python', ['-c']],
  ['ruby', ['-e']],
  ['perl', ['-e']],
  ['php', ['-r']],
])
/** Without one of these a line of code ends well whatever the work is like. */
const canFail = /\b(?:assert\w*|exit|exitCode|raise|throw|require|import|from|open|read\w*|sys|process|unless|die)\b/

const summarizing = wordSet('vitest jest mocha pytest py.test unittest')
/** All that there is, in the words of one runner or another. */
const everything = wordSet('. ./ ./... run all discover test tests ./test ./tests test/ tests/ src')

/** What a single program can show, by its words; an undefined word is one that only the shell will know. */
export function readProgram(given: readonly (string | undefined)[]): CheckReading {
  if (given[0] === undefined) return reading('unclear', { runsMore: true })
  if (given[0] === 'command' && /^-[vV]+$/.test(given[1] ?? '')) return reading('presence', { kind: 'existence' })
  const [path = '', ...rest] = launched(given.map((word) => word ?? '$'))
  const program = programName(path)
  const words = [program, ...rest]
  if (idle.has(program)) return reading('nothing')
  if (program === 'false') return reading('behaviour')
  if (program === 'test' || program === '[') return comparison(given.slice(1).filter((word) => word !== ']'))
  if (lookers.has(program)) return reading('presence', { kind: 'existence' })
  if (program === 'git') return git(rest)
  if (comparers.has(program)) return reading('unclear')
  const told = toldBy(words)
  if (told === 'asked') return reading('nothing')
  if (parses(words)) return reading('presence', { kind: 'syntax' })
  if (isForeign(given.map((word) => word ?? '$'))) return script(path, rest)
  const found = runner(words)
  if (found !== undefined) return asTold(found, told)
  return code(words) ?? script(path, rest)
}

/** What is left of a runner under its options. */
function asTold(read: CheckReading, told: Exclude<Told, 'asked'>): CheckReading {
  switch (told) {
    case 'forgiving':
      return atMost('nothing', read)
    case 'pretending':
      return atMost('presence', read)
    case 'steered':
      return atMost('unclear', read)
    case 'plain':
      return read
    default:
      return told satisfies never
  }
}

/** `test` and its like: of files, whether they are there; of texts, only what the shell fills in can make a difference. */
export function comparison(operands: readonly (string | undefined)[]): CheckReading {
  const [operator = ''] = operands.filter((word) => word !== '!')
  if (/^-[abcdefghkLprsSuwxON]$/.test(operator)) return reading('presence', { kind: 'existence' })
  return operands.includes(undefined) ? reading('unclear') : reading('nothing')
}

function git(rest: readonly string[]): CheckReading {
  const compares = rest.some((word) => ['--exit-code', '--quiet', '--check'].includes(word))
  return compares ? reading('unclear') : reading('presence', { kind: 'existence' })
}

function parses([program = '', ...rest]: readonly string[]): boolean {
  if (program === 'py_compile' || program === 'compileall') return true
  return rest.some((word) => parsing.get(program)?.includes(word))
}

function runner(words: readonly string[]): CheckReading | undefined {
  const found = runnerOf(words)
  if (found === undefined) return undefined
  const { kind } = found
  const rest = found.rest.filter((word) => word !== '--')
  const operands = rest.filter((word) => !word.startsWith('-'))
  const selected = operands.filter((word) => /[./\\]/.test(word) && !everything.has(word))
  const narrow =
    kind === 'test' &&
    (operands.some((word) => !everything.has(word)) || rest.some((word) => narrows(words[0] ?? '', word)))
  const counts = printsCounts(words)
  const read = reading('behaviour', { kind, runsMore: true, narrow, counts, selected })
  return words.includes('--if-present') ? atMost('unclear', read) : read
}

/** Runners that end with a summary, unless they were told to print something else. */
function printsCounts([program = '', ...rest]: readonly string[]): boolean {
  if (rest.some((word) => /^(?:--?reporters?|--json|--format|--silent|--quiet|-q{2,}|--out\w*)\b/.test(word)))
    return false
  if (program === 'cargo' || program === 'go') return rest[0] === 'test'
  return summarizing.has(program) || (program === 'node' && rest.includes('--test'))
}

/** Code on the command line. */
function code([program = '', ...rest]: readonly string[]): CheckReading | undefined {
  const flag = rest.findIndex((word) => inline.get(program)?.includes(word))
  if (flag < 0) return undefined
  return canFail.test(rest[flag + 1] ?? '') ? reading('unclear') : reading('nothing')
}

function script(path: string, rest: readonly string[]): CheckReading {
  if (!interpreters.has(programName(path))) {
    return reading('unclear', { runsMore: true, scripts: /[/.]/.test(path) ? [path] : [] })
  }
  const file = rest.find((word) => !word.startsWith('-') && word !== 'run')
  return reading('unclear', { runsMore: true, scripts: file === undefined ? [] : [file] })
}
