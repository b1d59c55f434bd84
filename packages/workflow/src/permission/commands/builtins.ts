import { variableLevel } from '../shell/assignments.ts'
import { type Judge, type Judgement, judged } from '../shell/judgement.ts'
import { isWorse } from '../shell/level.ts'
import { options, type Options, scan, valuesOf } from '../shell/options.ts'
import { whereIs } from '../shell/place.ts'
import { fixedWord, mayBeOption, type ShellWord } from '../shell/shell-word.ts'

const probe = judged('probe', 'only looks')

const judgeCd: Judge = (args, { place }) => {
  const target = args.find(({ kind, value }) => kind !== 'fixed' || !/^-[LPe@n]*$/.test(value) || value === '-')
  const where = target === undefined || target.value === '-' ? 'outside' : whereIs(target, place)
  const stays = where === 'inside' || where === 'top'
  return stays ? judged('probe', 'changes the folder') : { ...judged('probe', 'leaves the workspace'), wanders: true }
}

const judgeDate: Judge = (args) => {
  const known = options(
    '-uRjn -d= -f= -r= -I? -v= --date= --file= --reference= --utc --universal --iso-8601? --rfc-3339= --rfc-email --rfc-2822 --debug --resolution',
  )
  const scanned = scan(args, known)
  if (!scanned.fits) return judged(scanned.level === 'run' ? 'run' : 'ask', scanned.why)
  if (scanned.operands.some(({ start }) => !start.startsWith('+'))) return judged('danger', 'sets the clock')
  return probe
}

/** In bash, `-v` and `%n` set variables, and an index in their names is evaluated. */
const judgePrintf: Judge = ([format]) => {
  if (format === undefined) return probe
  if (format.kind !== 'fixed') return judged('run', 'its format is known only when it runs')
  if (format.value.startsWith('-') && format.value !== '--') return judged('ask', 'sets a variable')
  return format.value === '--' || /%[^%a-zA-Z]*n/.test(format.value) ? judged('run', 'may set a variable') : probe
}

const judgeSet: Judge = (args) => {
  const isPlain = args.every(
    ({ kind, value }) => kind === 'fixed' && /^(?:[-+][eufxvno]+|pipefail|errexit|nounset|xtrace|noglob)$/.test(value),
  )
  return isPlain ? probe : judged('ask', 'changes how the shell works')
}

/** `umask 0` or `ulimit -n 1` set, without operands they tell. */
const judgeLimits: Judge = (args) =>
  args.every(({ kind, value }) => kind === 'fixed' && /^-[a-zA-Z]+$/.test(value))
    ? probe
    : judged('run', 'sets a limit')

const judgeHostname: Judge = (args) =>
  args.every(({ kind, value }) => kind === 'fixed' && /^-[adfiIsy]$/.test(value))
    ? probe
    : judged('danger', 'renames the machine')

const reading = options('-rs -a= -d= -i= -n= -N= -p= -t= -u=')
const unsetting = options('-v')
const declaring = options('-rxaAgltup')
const mapping = options('-t -d= -n= -O= -s= -u=')

/** Commands that set the variables that they name. */
function judgeNames(known: Options): Judge {
  return (args) => {
    const scanned = scan(args, known)
    if (!scanned.fits) return judged('ask', scanned.why)
    const lists = valuesOf(scanned.given, '-a')
    let found: Judgement = probe
    for (const word of [...scanned.operands, ...lists]) {
      const level = nameLevel(word)
      if (isWorse(level, found.level)) found = judged(level, `sets ${word.text}`)
    }
    return found
  }
}

/** The level of `NAME` or `NAME=value`. Values that look like a list are evaluated if the variable is one. */
function nameLevel({ kind, value, start }: ShellWord): 'probe' | 'run' | 'ask' {
  const [, name, rest] = /^([A-Za-z_]\w*)(?:$|\+?=)(.*)/s.exec(kind === 'fixed' ? value : start) ?? []
  if (name === undefined) return 'ask'
  const level = variableLevel(name)
  return level === 'probe' && (kind !== 'fixed' || /[$`(]/.test(rest ?? '')) ? 'run' : level
}

/** An index in the operand of `-v` is evaluated, and words that are not fixed may add a `-v`. */
const judgeTest: Judge = (args) => {
  for (const [index, word] of args.entries()) {
    if (word.splits) return judged('run', `${word.text} could become another test when it runs`)
    if (word.kind === 'fixed' && /^-[vR]$/.test(word.value)) {
      const name = args[index + 1]
      if (name?.kind !== 'fixed' || !/^\w*$/.test(name.value)) return judged('run', 'evaluates the name of a variable')
    }
  }
  if (args.length <= 1 || args.every((word) => word.kind !== 'open' || !mayBeOption(word))) return probe
  const operator = args[args.length === 2 ? 0 : 1]
  const isPlain =
    args.length <= 3 && operator?.kind === 'fixed' && /^(?:!|=|==|!=|<|>|-[a-z]{1,2})$/.test(operator.value)
  return isPlain ? probe : judged('run', 'which test it is shows only when it runs')
}

const judgeBracket: Judge = (args, standing) =>
  judgeTest(args.at(-1)?.value === ']' ? args.slice(0, -1) : args, standing)

/** What a shell has started itself. */
const ownJob = /^(?:%\d+|"?\$!"?)$/

const judgeKill: Judge = (args) => {
  if (
    args.length > 0 &&
    args.every(({ kind, value }) => kind === 'fixed' && /^(?:-l|-L|--list|\d+)$/.test(value)) &&
    args[0]?.value.startsWith('-')
  ) {
    return probe
  }
  if (args.every(({ text, value }) => ownJob.test(text) || /^-(?!1$)(?:\d+|[A-Z]+)$/.test(value)) && args.length > 0) {
    return judged('run', 'ends what this command has started')
  }
  const everyone = args.some(({ value }, index) => index > 0 && /^-?1$/.test(value))
  return everyone ? judged('danger', 'ends every process') : judged('ask', 'ends processes')
}

const judgeWait: Judge = (args) =>
  args.every(({ kind, value }) => kind !== 'fixed' || !value.startsWith('-') || value === '-n')
    ? probe
    : judged('ask', 'sets a variable')

const judgeAlias: Judge = (args) => (args.length === 0 ? probe : judged('ask', 'gives commands another meaning'))

function asks(why: string): Judge {
  return () => judged('ask', why)
}

/** Commands that the shell itself has. */
export const builtins: ReadonlyMap<string, Judge> = new Map([
  ['cd', judgeCd],
  ['pushd', judgeCd],
  ['popd', () => ({ ...probe, wanders: true as const })],
  ['date', judgeDate],
  ['printf', judgePrintf],
  ['set', judgeSet],
  ['hostname', judgeHostname],
  ['umask', judgeLimits],
  ['ulimit', judgeLimits],
  ['read', judgeNames(reading)],
  ['unset', judgeNames(unsetting)],
  ['export', judgeNames(declaring)],
  ['declare', judgeNames(declaring)],
  ['typeset', judgeNames(declaring)],
  ['local', judgeNames(declaring)],
  ['readonly', judgeNames(declaring)],
  ['mapfile', judgeNames(mapping)],
  ['readarray', judgeNames(mapping)],
  ['getopts', (args, standing) => judgeNames(options(''))([args[1] ?? fixedWord('')], standing)],
  ['test', judgeTest],
  ['[', judgeBracket],
  ['kill', judgeKill],
  ['wait', judgeWait],
  ['alias', judgeAlias],
  ['unalias', judgeAlias],
  ['let', () => judged('run', 'evaluates what variables hold, commands included')],
  ['shopt', asks('changes how the shell works')],
  ['enable', asks('changes how the shell works')],
  ['hash', asks('changes which program a name stands for')],
  ['bind', asks('changes how the shell works')],
  ['complete', asks('changes how the shell works')],
  ['fc', asks('runs commands again')],
  ['history', asks('deals with what was typed')],
  ['disown', () => probe],
  ['fg', asks('goes on with another job')],
  ['bg', asks('goes on with another job')],
])
