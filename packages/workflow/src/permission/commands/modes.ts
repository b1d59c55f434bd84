import { changes, type Judge, judged } from '../shell/judgement.ts'
import { worst } from '../shell/level.ts'
import { options, scan } from '../shell/options.ts'
import type { ShellWord } from '../shell/shell-word.ts'
import { isHomeOrRoot } from './removing.ts'

const changingMode = options('-cfvRHLP --changes --silent --quiet --verbose --recursive --preserve-root --reference=')

/** Who may do what with a file. A mode such as `-x` looks like an option. */
export const judgeChmod: Judge = (args, standing) => {
  const words = args.filter(({ kind, value }) => kind !== 'fixed' || !/^-[rwxXst]+$/.test(value))
  const scanned = scan(words, changingMode)
  const recursive = args.some(({ value }) => /^(?:-[a-zA-Z]*R|--recursive)/.test(value))
  const everything = args.find(({ value }) => isHomeOrRoot(value))
  if (recursive && everything !== undefined) return judged('ruin', `changes all of ${everything.text}`)
  if (!scanned.fits) return judged('ask', scanned.why)
  const [mode, ...rest] = scanned.operands
  const hasMode = words.length === args.length && !scanned.given.some(({ name }) => name === '--reference')
  if (hasMode && mode !== undefined && setsRights(mode)) return judged('danger', letsOthersRun)
  const found = changes(hasMode ? rest : scanned.operands, standing)
  return recursive && found.level === 'write' ? judged('run', 'changes files that it does not name') : found
}

export const letsOthersRun = 'lets others run a file with the rights of its owner'

export function setsRights({ kind, value }: ShellWord): boolean {
  return kind !== 'fixed' || /s|^0*[2-7]\d{3}$/.test(value)
}

/** Files that belong to somebody else are out of reach for good. */
export const judgeChown: Judge = (args, standing) => {
  const recursive = args.some(({ value }) => /^-[a-zA-Z]*R/.test(value))
  const everything = args.find(({ value }) => isHomeOrRoot(value))
  if (recursive && everything !== undefined) return judged('ruin', `changes all of ${everything.text}`)
  const found = changes(
    args.slice(1).filter(({ value }) => !value.startsWith('-')),
    standing,
  )
  return worst([found.level, 'ask']) === 'ask' ? judged('ask', 'changes who owns files') : found
}
