import { type Feed, type Judge, type Judgement, judged, type Standing } from '../shell/judgement.ts'
import { whereIs } from '../shell/place.ts'
import type { ShellWord } from '../shell/shell-word.ts'
import { outwardReason } from './outward.ts'

/** A shell runs its text, its file, or what it is fed. Only the first can be read here. */
const judgeShell: Judge = (args, standing) => {
  let index = 0
  for (; index < args.length; index++) {
    const { kind, value } = args[index] ?? { kind: 'fixed', value: '' }
    if (kind !== 'fixed') return hidden('which text it runs is known only then')
    if (value === '--version' || value === '--help') return judged('probe', 'only looks')
    if (/^--(?:rcfile|init-file)$/.test(value)) return hidden('runs a file before all else')
    if (/^[-+]O$|^[-+][a-z]*o$/.test(value)) index++
    else if (/^-[a-zA-Z]*c[a-zA-Z]*$/.test(value)) return runsText(args.slice(index + 1))
    else if (!/^[-+]./.test(value) || value === '--') break
  }
  const file = args[args[index]?.value === '--' ? index + 1 : index]
  return file === undefined || file.value === '-' || args.slice(0, index).some(({ value }) => /^-[a-z]*s/.test(value))
    ? runsFeed(standing.feed)
    : runsFile(file, standing, args.slice(args.indexOf(file) + 1))
}

function runsText(args: readonly ShellWord[]): Judgement {
  const [text] = args.filter(({ kind, value }) => kind !== 'fixed' || !/^[-+]/.test(value))
  if (text?.kind !== 'fixed') return hidden('which text it runs is known only then')
  return { ...judged('run', 'runs shell text'), scripts: [text.value] }
}

function runsFeed(feed: Feed): Judgement {
  switch (feed.kind) {
    case 'text':
      return { ...judged('run', 'runs shell text'), scripts: [feed.text] }
    case 'nothing':
    case 'unknown':
      return hidden('runs what it is fed')
    default:
      return feed satisfies never
  }
}

function runsFile(file: ShellWord, { place }: Standing, args: readonly ShellWord[]): Judgement {
  const where = whereIs(file, place)
  if (file.kind === 'fixed' && where === 'inside') {
    const reason = outwardReason(args, place)
    return reason === undefined ? judged('run', `runs ${file.text}`) : judged('ask', reason)
  }
  return hidden(`runs ${file.text}, which cannot be read here`)
}

function hidden(why: string): Judgement {
  return { ...judged('ask', why), hides: true, runsInput: true }
}

const judgeEval: Judge = (args) => {
  if (args.length === 0) return judged('probe', 'does nothing')
  if (args.some(({ kind }) => kind !== 'fixed')) return hidden('which text it runs is known only then')
  return { ...judged('run', 'runs shell text'), scripts: [args.map(({ value }) => value).join(' ')] }
}

const judgeSource: Judge = ([file, ...args], standing) =>
  file === undefined ? judged('ask', 'names no file') : runsFile(file, standing, args)

const judgeTrap: Judge = (args) => {
  const [action] = args.filter(({ value }) => value !== '--')
  if (action === undefined || /^(?:-[lp]|-)$/.test(action.value)) return judged('probe', 'only looks')
  if (action.kind !== 'fixed') return hidden('which text it runs is known only then')
  return { ...judged('run', 'runs shell text later'), scripts: [action.value] }
}

/** Shells of other families: their text is not read here. */
const judgeForeignShell: Judge = (args) =>
  args.length === 1 && args[0]?.value === '--version'
    ? judged('probe', 'only looks')
    : hidden('runs text of another kind of shell')

export const shells: ReadonlyMap<string, Judge> = new Map([
  ...['sh', 'bash', 'dash', 'ash', 'ksh', 'mksh', 'zsh', 'rbash'].map((name): [string, Judge] => [name, judgeShell]),
  ...['fish', 'csh', 'tcsh', 'pwsh', 'powershell', 'nu', 'xonsh', 'elvish', 'cmd', 'cmd.exe'].map(
    (name): [string, Judge] => [name, judgeForeignShell],
  ),
  ['eval', judgeEval],
  ['source', judgeSource],
  ['.', judgeSource],
  ['trap', judgeTrap],
])
