import { systemProgram } from './shell/program-name.ts'
import type { ReadCommand, ShellReading } from './shell/read-shell.ts'
import type { ShellWord } from './shell/shell-word.ts'
import { onlyPrints } from './shell/sed-script.ts'
import { unwrapped } from './unwrapped.ts'

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/))

/** Programs that only write output and start no other program, whatever their arguments. */
const looking = words(`
  : arch b2sum basename cat cd cksum cmp col column comm cut df diff dir dirname du echo egrep exit expand expr factor
  false fgrep fmt fold getconf grep groups head hexdump id jobs join jq ls lsblk lscpu md5sum nl nproc numfmt od paste
  pathchk pgrep popd pr printenv ps pushd pwd readlink realpath return rev seq set sha1sum sha224sum sha256sum
  sha384sum sha512sum shasum shift sleep stat strings sum tac tail tr true tsort type uname unexpand uptime vdir
  wait wc whereis which who whoami zcat
`)

/**
 * Programs that are read-only unless an argument matches. GNU programs accept abbreviated options, so prefixes match
 * too.
 */
const lookingUnless: Readonly<Record<string, RegExp>> = {
  '[': /^-[vR]$/,
  base32: /^(?:-[a-zA-Z]*o|--o)/,
  base64: /^(?:-[a-zA-Z]*o|--o)/,
  date: /^(?:-[uR]*s|--s|\d{8})/,
  fd: /^(?:-[a-zA-Z]*[xX]|--exec)/,
  fdfind: /^(?:-[a-zA-Z]*[xX]|--exec)/,
  file: /^(?:-[a-zA-Z]*C|--co)/,
  find: /^-(?:delete|exec|ok|fprint|fls)/,
  hostname: /^(?:[^-]|-[a-zA-Z]*[Fb]|--[fb])/,
  // In bash, the name of a variable can contain a command: `a[$(…)]`.
  printf: /^-v/,
  read: /\[/,
  rg: /^--(?:pre|hostname-bin)/,
  sort: /^(?:-[a-zA-Z]*o|--o|--co)/,
  test: /^-[vR]$/,
  tree: /^(?:-[a-zA-Z]*[oR]|--output)/,
  // A second argument is an output file.
  uniq: /^(?:[^-]|--?$)/,
  unset: /\[/,
  xxd: /^(?:[^-]|--?$)/,
}

const lookingInGit = words(`
  blame cat-file check-ignore count-objects describe diff diff-tree for-each-ref grep log ls-files ls-tree merge-base
  name-rev reflog rev-list rev-parse shortlog show show-ref status var version whatchanged
`)
/** Subcommands that list without arguments or with options only. Those of the next set need the argument `list`. */
const listingInGit = words('branch remote tag')
const listingWhenTold = words('stash worktree')
/** Options that name a file to write or a program to start. */
const writingInGit = /^(?:-O|--ou|--open)/

/**
 * Whether a command line is read-only, so that it can run in the walls of `look`. A wrong answer does no harm: those
 * walls prevent writing, the command fails, and the model is told how to ask for more.
 */
export function looks({ commands, writes, sets, hides }: ShellReading): boolean {
  const own = commands.filter(({ isCandidate }) => isCandidate !== true)
  // Other programs may start a program that a variable names.
  const isPlain = hides === undefined && writes.length === 0 && sets.length === 0
  return isPlain && own.length > 0 && own.every(looksAlone)
}

export function looksAlone(command: ReadCommand): boolean {
  const [name, ...args] = unwrapped(command.words)
  if (name?.kind !== 'fixed') return false
  const program = systemProgram(name.value)
  if (looking.has(program)) return true
  // A word that is known only at run time may be any option; the same holds for the input of `xargs`.
  const isFed = systemProgram(command.words[0]?.value ?? '') === 'xargs'
  if (isFed || args.some(canBeAnOption)) return false
  const given = args.map(({ value }) => value)
  if (given.length === 1 && given[0] === '--version') return !program.includes('/')
  if (program === 'git') return looksInGit(given)
  if (program === 'sed') return onlyPrints(given)
  // Every object has a `constructor`, and a program may be called that.
  const unless = Object.hasOwn(lookingUnless, program) ? lookingUnless[program] : undefined
  return unless !== undefined && !given.some((argument) => unless.test(argument))
}

function canBeAnOption({ kind, value }: ShellWord): boolean {
  return kind === 'open' || (kind === 'glob' && /^[*?[]/.test(value))
}

function looksInGit(args: readonly string[]): boolean {
  const at = afterGlobalOptions(args)
  const subcommand = args[at]
  const rest = args.slice(at + 1)
  if (subcommand === undefined) return true
  if (rest.some((argument) => writingInGit.test(argument))) return false
  if (subcommand === 'reflog') return !/^(?:expire|delete|drop|write)$/.test(rest[0] ?? '')
  if (lookingInGit.has(subcommand)) return true
  if (listingWhenTold.has(subcommand)) return rest[0] === 'list'
  if (!listingInGit.has(subcommand)) return false
  return rest.every((argument) => /^(?:-[alrv]+|--(?:all|list|verbose|show-current))$/.test(argument))
}

/** The index of the subcommand. Other options before it, such as `-c`, can name programs that git starts. */
function afterGlobalOptions(args: readonly string[]): number {
  let at = 0
  while (/^(?:-C|-P|--no-pager|--no-optional-locks)$/.test(args[at] ?? '')) at += args[at] === '-C' ? 2 : 1
  return at
}
