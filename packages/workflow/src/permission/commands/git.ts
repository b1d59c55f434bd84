import { changes, type Judge, type Judgement, judged, type Standing } from '../shell/judgement.ts'
import { type Given, options, type Options, scan, valuesOf } from '../shell/options.ts'
import type { ShellWord } from '../shell/shell-word.ts'
import { judgeGitChange } from './git-changes.ts'
import { lookingAtGit } from './git-options.ts'

/** Others choose a configuration, and a configuration can name programs to run. */
const beforeSubcommand = options(
  `-P -v -h -C= --no-pager --no-optional-locks --no-replace-objects --literal-pathspecs --glob-pathspecs --noglob-pathspecs
   --icase-pathspecs --exec-path --html-path --man-path --info-path --no-lazy-fetch --no-advice`,
)

const looking: ReadonlyMap<string, Options> = new Map(
  Object.entries(lookingAtGit).map(([name, known]) => [name, options(known)]),
)

export const judgeGit: Judge = (args, standing) => {
  const scanned = scan(args, beforeSubcommand, true)
  if (!scanned.fits) return { ...judged('ask', `${scanned.why}: it may choose what git runs`), hides: true }
  const [subcommand, ...rest] = scanned.operands
  if (subcommand === undefined) {
    if (scanned.given.some(({ name }) => name === '--help')) return judged('ask', 'opens a pager')
    return judged('probe', 'only looks')
  }
  if (subcommand.kind !== 'fixed') return { ...judged('ask', 'what git does is known only when it runs'), hides: true }
  const elsewhere = valuesOf(scanned.given, '-C')
  return inFolder(elsewhere, judgeSubcommand(subcommand.value, rest, standing), standing)
}

/** What changes another folder than the one at hand is judged by that folder. */
function inFolder(folders: readonly ShellWord[], judgement: Judgement, standing: Standing): Judgement {
  if (folders.length === 0 || judgement.level === 'probe') return judgement
  const place = changes(folders, standing)
  return place.level === 'write' || judgement.level === 'danger' ? judgement : { ...judgement, ...place }
}

function judgeSubcommand(name: string, args: readonly ShellWord[], standing: Standing): Judgement {
  const [first] = args
  const change = (): Judgement => judgeGitChange(name, args, standing)
  switch (name) {
    case 'config':
      return judgeConfig(args)
    case 'remote':
      return onlyNamesRemotes(args) ? judged('probe', 'only looks') : change()
    case 'stash':
      if (first?.value === 'list') return looksAs('log', args.slice(1))
      return first?.value === 'show' ? looksAs('diff', args.slice(1)) : change()
    case 'reflog':
      if (['expire', 'delete', 'drop', 'write'].includes(first?.value ?? '')) return change()
      return looksAs('log', first?.value === 'show' ? args.slice(1) : args)
    case 'worktree':
      return saysOnly(args, /^list(?: --porcelain| -v| -z)*$/) ? judged('probe', 'only looks') : change()
    case 'submodule':
      return saysOnly(args, /^(?:status)?$/) ? judged('probe', 'only looks') : change()
    case 'symbolic-ref':
      return saysOnly(args, /^(?:-q |--short )*[\w/]+$/) ? judged('probe', 'only looks') : change()
    case 'branch':
    case 'tag':
      return onlyLists(name, args) ? judged('probe', 'only looks') : change()
    default:
      return looking.has(name) ? looksAs(name, args) : change()
  }
}

function saysOnly(args: readonly ShellWord[], pattern: RegExp): boolean {
  return args.every(({ kind }) => kind === 'fixed') && pattern.test(args.map(({ value }) => value).join(' '))
}

/** A probe only if all options are among those under which the subcommand looks. */
function looksAs(name: string, args: readonly ShellWord[]): Judgement {
  const scanned = scan(args, looking.get(name) ?? options(''))
  if (!scanned.fits) return judged(scanned.level, scanned.why)
  const { given, loose } = scanned
  if (loose !== undefined) return judged('run', `a file that ${loose.text} matches could be taken for an option`)
  if (given.some(runsVerifier)) return judged('run', 'starts the program that checks signatures')
  if (given.some((one) => one.name === '--help')) return judged('ask', 'opens a pager')
  return judged('probe', 'only looks')
}

function onlyLists(name: 'branch' | 'tag', args: readonly ShellWord[]): boolean {
  const scanned = scan(args, looking.get(name) ?? options(''))
  if (!scanned.fits || looksAs(name, args).level !== 'probe') return false
  return scanned.operands.length === 0 || scanned.given.some((one) => listers.has(one.name))
}

/** With these a name is a pattern to look for, not something to create. */
const listers = new Set('-l --list --merged --no-merged --contains --no-contains --points-at'.split(' '))

/** Formats that print whether a signature is good run the program that checks it. */
function runsVerifier({ name, value }: Given): boolean {
  if (!['--format', '--pretty'].includes(name) || value === undefined) return false
  return value.kind !== 'fixed' || /%G|signature/.test(value.value)
}

const readingConfig = options(
  `-lz --list --get --get-all --get-regexp --get-urlmatch --show-origin --show-scope --null --name-only --global --local --system
   --worktree --includes --no-includes --type= --bool --int --path --default= --all`,
)

function judgeConfig(args: readonly ShellWord[]): Judgement {
  const scanned = scan(args, readingConfig)
  if (scanned.fits) {
    const reads = scanned.given.some(({ name }) => /^(?:-l|--list|--get.*)$/.test(name))
    const [first] = scanned.operands
    const acts = /^(?:edit|set|unset|rename-section|remove-section)$/.test(first?.value ?? '')
    if (reads || (scanned.operands.length === 1 && !acts) || ['list', 'get'].includes(first?.value ?? '')) {
      return judged('probe', 'only looks')
    }
  }
  return judged('ask', 'changes how git works, which can name programs to run')
}

function onlyNamesRemotes(args: readonly ShellWord[]): boolean {
  return saysOnly(args, /^(?:-v|--verbose|get-url(?: --all| --push)* [\w.-]+)?$/)
}
