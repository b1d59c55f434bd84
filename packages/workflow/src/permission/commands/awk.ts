import { type Judge, judged } from '../shell/judgement.ts'
import { options, scan } from '../shell/options.ts'
import { namesMachine } from './outward.ts'

const known = options('-F= -v= --field-separator= --assign= --posix --traditional --re-interval --sandbox')

/** Awk programs can do anything; those that only compute and print are told by what they do not contain. */
export const judgeAwk: Judge = (args) => {
  const scanned = scan(args, known, true)
  if (!scanned.fits) return judged(scanned.level, scanned.why)
  const [program, ...files] = scanned.operands
  // Not every awk stops looking for options at the program.
  if (files.some(({ kind, value }) => kind !== 'open' && value.startsWith('-')))
    return judged('ask', 'has late options')
  if (program === undefined) return judged('probe', 'only looks')
  if (program.kind !== 'fixed') return judged('run', 'its program is known only when it runs')
  if (namesMachine(program.value) || /\/inet\d?\/|["'](?:\/(?!dev\/)|~|\.\.\/)/.test(program.value)) {
    return judged('ask', 'its program may reach beyond the workspace')
  }
  if (!onlyPrints(program.value)) return judged('run', 'its program may write files or run commands')
  return judged('probe', 'only looks')
}

/** Everything that starts a program, opens a file or calls by name needs one of these. */
function onlyPrints(program: string): boolean {
  if (/system|getline|close|fflush|@/.test(program)) return false
  if (program.replaceAll('||', '').includes('|')) return false
  return !program.includes('print') || !withoutConditions(program).replaceAll('>=', '').includes('>')
}

/** Outside of braces `>` compares. Where a brace could be part of a text, nothing is left out. */
function withoutConditions(program: string): string {
  if (/["/#\\]/.test(program)) return program
  let depth = 0
  let inside = ''
  for (const character of program) {
    if (character === '{') depth++
    if (depth > 0) inside += character
    if (character === '}') depth--
    if (depth < 0) return program
  }
  return depth === 0 ? inside : program
}
