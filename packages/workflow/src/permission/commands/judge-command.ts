import { type Judge, type Judgement, judged, type Standing } from '../shell/judgement.ts'
import { options, scan } from '../shell/options.ts'
import { whereIs } from '../shell/place.ts'
import type { ShellWord } from '../shell/shell-word.ts'
import { judgeAwk } from './awk.ts'
import { builtins } from './builtins.ts'
import { judgeFind } from './find.ts'
import { judgeGit } from './git.ts'
import { lookingCommands } from './looking.ts'
import { networkCommands } from './network.ts'
import {
  projectPrograms,
  reachingPrograms,
  reachingSubcommands,
  ruinousPrograms,
  screenPrograms,
  systemPrograms,
  versionWords,
} from './programs.ts'
import { judgeSed } from './sed.ts'
import { shells } from './shells.ts'
import { wrappers } from './wrappers.ts'
import { writingCommands } from './writing.ts'

const judges: ReadonlyMap<string, Judge> = new Map([
  ...lookingCommands,
  ...builtins,
  ...shells,
  ...wrappers,
  ...writingCommands,
  ...networkCommands,
  ['find', judgeFind],
  ['gfind', judgeFind],
  ['sed', judgeSed],
  ['gsed', judgeSed],
  ...['awk', 'gawk', 'mawk', 'nawk'].map((name): [string, Judge] => [name, judgeAwk]),
  ['git', judgeGit],
])

/** What one command, with the words as the shell hands them over, can lead to. */
export function judgeCommand([name, ...args]: readonly ShellWord[], standing: Standing): Judgement {
  if (name === undefined) return judged('probe', 'does nothing')
  if (name.kind !== 'fixed' || name.value === '') {
    return { ...judged('ask', 'which program it is shows only when it runs'), hides: true }
  }
  const known = nameOf(name.value)
  if (known.includes('/')) return judgePath(name, standing)
  const judge = judges.get(known)
  if (judge !== undefined) return judge(args, standing)
  return judgeProgram(known, args, standing)
}

/** The name that a program is known by: those in the folders of the system go by their last part. */
export function nameOf(path: string): string {
  return (
    /^\/(?:usr\/(?:local\/)?)?s?bin\/([^/]+)$|^\/opt\/homebrew\/bin\/([^/]+)$/.exec(path)?.slice(1).find(Boolean) ??
    path
  )
}

/** Whether a name stands for something that is judged by a table of its own. */
export function isKnownCommand(name: string): boolean {
  return judges.has(name) || projectPrograms.has(name) || reachingPrograms.has(name) || systemPrograms.has(name)
}

function judgePath(name: ShellWord, { place }: Standing): Judgement {
  const where = whereIs(name, place)
  if (where === 'inside') return judged('run', `runs ${name.text} of the project`)
  return { ...judged('ask', `runs ${name.text}, from outside the workspace`), hides: true }
}

function judgeProgram(name: string, args: readonly ShellWord[], standing: Standing): Judgement {
  if (ruinousPrograms.test(name)) return judged('ruin', 'makes an end of what is on a disk')
  if (systemPrograms.has(name)) return judged('danger', 'changes the machine')
  if (tellsVersion(name, args)) return judged('probe', 'tells its version')
  if (screenPrograms.has(name)) return judged('ask', 'is for people at a screen, and can run commands')
  if (reachingPrograms.has(name)) return judged('ask', 'reaches beyond the workspace')
  if (projectPrograms.has(name)) return { ...judgeProjectProgram(name, args), ...fedProgram(name, args, standing) }
  return standing.ofProject ? judged('run', 'runs code of the project') : judged('ask', `${name} is not known`)
}

function tellsVersion(name: string, [word, ...more]: readonly ShellWord[]): boolean {
  if (word?.kind !== 'fixed' || more.length > 0) return false
  if (!projectPrograms.has(name) && !reachingPrograms.has(name) && !screenPrograms.has(name)) return false
  return word.value === '--version' || word.value === versionWords[name]
}

function judgeProjectProgram(name: string, args: readonly ShellWord[]): Judgement {
  if (/^pip3?$/.test(name) && listsPackages(args)) return judged('probe', 'only looks')
  const reaching = reachingSubcommands[name]
  const subcommand = args.find(({ value }) => !value.startsWith('-'))
  if (reaching !== undefined && subcommand !== undefined) {
    if (subcommand.kind !== 'fixed') return judged('ask', `what ${name} does is known only when it runs`)
    if (reaching.includes(subcommand.value))
      return judged('ask', `${name} ${subcommand.value} reaches beyond the workspace`)
  }
  if (/^(?:p?npm|yarn|bun)$/.test(name) && args.some(({ value }) => /^(?:-g|--global|global)$/.test(value))) {
    return judged('ask', 'installs outside the workspace')
  }
  return { ...judged('run', 'runs code of the project'), ...startedBy(name, args) }
}

/** Interpreters run what they are fed when they are given no file, and what an open word becomes. */
function fedProgram(name: string, args: readonly ShellWord[], { feed }: Standing): Pick<Judgement, 'runsInput'> {
  if (!/^(?:python[\d.]*|pypy3?|node|nodejs|deno|bun|tsx|perl|ruby|php|lua|Rscript|R|julia)$/.test(name)) return {}
  const isFed = feed.kind === 'unknown' && args.every(({ value }) => value.startsWith('-'))
  return isFed || args.some(({ kind }) => kind === 'open') ? { runsInput: true } : {}
}

const packageLists = options(
  '-elov -f= --editable --local --user --format= --not-required --verbose --files --no-color',
)

function listsPackages([first, ...rest]: readonly ShellWord[]): boolean {
  if (first?.kind !== 'fixed' || !/^(?:list|show|freeze|check)$/.test(first.value)) return false
  const scanned = scan(rest, packageLists)
  return scanned.fits && !scanned.given.some(({ name }) => name === '-o')
}

/** What a package runner starts, where that is shell text or a command and not a package. */
function startedBy(name: string, args: readonly ShellWord[]): Pick<Judgement, 'scripts' | 'starts' | 'ofProject'> {
  if (!/^(?:npx|p?npm|pnpx|yarn|bunx)$/.test(name)) return {}
  const at = args.findIndex(({ value }) => value === '-c' || value === '--call')
  const text = at === -1 ? undefined : args[at + 1]
  if (text?.kind === 'fixed') return { scripts: [text.value] }
  const exec = args.findIndex(({ value }) => value === 'exec')
  const inner = exec === -1 ? [] : args.slice(exec + 1).filter(({ value }, index) => index > 0 || value !== '--')
  return inner.length > 0 && name !== 'npx' ? { starts: [inner], ofProject: true } : {}
}
