import { systemProgram } from './shell/program-name.ts'
import type { ReadCommand, ShellReading } from './shell/read-shell.ts'
import { unwrapped } from './unwrapped.ts'

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/))

const looking = words(`
  : [ arch awk b2sum base32 base64 basename cat cd cksum cmp col column comm cut date df diff dir dirname du echo egrep
  exit expand expr factor false fgrep file fmt fold gawk getconf grep groups head hexdump hostname id jobs join jq less ls
  lsblk lscpu md5sum mawk nl nproc numfmt od paste pathchk pgrep popd pr printenv printf ps pushd pwd read readlink
  realpath return rev rg seq set sha1sum sha224sum sha256sum sha384sum sha512sum shasum shift sleep stat strings sum tac
  tail test time tr tree true tsort type uname unexpand uniq unset uptime vdir wait wc whereis which who whoami xxd yq zcat
`)

/** Those that look as long as no argument is like this. */
const lookingUnless: Readonly<Record<string, RegExp>> = {
  fd: /^(?:-[a-zA-Z]*[xX]|--exec)/,
  fdfind: /^(?:-[a-zA-Z]*[xX]|--exec)/,
  find: /^-(?:delete|exec|ok|fprint|fls)/,
  sed: /^(?:-[a-zA-Z]*i|--in-place)/,
  sort: /^(?:-[a-zA-Z]*o|--output)/,
}

const lookingInGit = words(`
  blame cat-file check-ignore count-objects describe diff diff-tree for-each-ref grep log ls-files ls-tree merge-base
  name-rev reflog rev-list rev-parse shortlog show show-ref status var version whatchanged
`)
/** Those that list when they are told nothing, or only how; and those that have to be told. */
const listingInGit = words('branch remote tag')
const listingWhenTold = words('stash worktree')

/**
 * Whether a line only looks, so that it can run where nothing can be written. Reading it wrongly does no harm: the wall
 * of `look` holds, the command fails, and the model is told how to ask for more.
 */
export function looks({ commands, writes, hides }: ShellReading): boolean {
  const own = commands.filter(({ isCandidate }) => isCandidate !== true)
  return hides === undefined && writes.length === 0 && own.length > 0 && own.every(looksAlone)
}

export function looksAlone(command: ReadCommand): boolean {
  const [name, ...args] = unwrapped(command.words)
  if (name?.kind !== 'fixed') return false
  const program = systemProgram(name.value)
  const given = args.map(({ value }) => value)
  if (given.length === 1 && given[0] === '--version') return true
  if (looking.has(program)) return true
  if (program === 'git') return looksInGit(given)
  const unless = lookingUnless[program]
  return unless !== undefined && !given.some((argument) => unless.test(argument))
}

function looksInGit(args: readonly string[]): boolean {
  const at = args.findIndex((argument, index) => !argument.startsWith('-') && !/^-[cC]$/.test(args[index - 1] ?? ''))
  const subcommand = args[at]
  if (subcommand === undefined) return true
  if (lookingInGit.has(subcommand)) return !args.some((argument) => argument.startsWith('--output'))
  const rest = args.slice(at + 1)
  if (listingWhenTold.has(subcommand)) return rest[0] === 'list'
  if (!listingInGit.has(subcommand)) return false
  return rest.every(
    (argument) => argument === 'list' || /^(?:-[alrv]+|--(?:all|list|verbose|show-current))$/.test(argument),
  )
}
