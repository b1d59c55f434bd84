import { type Judge, type Judgement, judged, type Standing } from '../shell/judgement.ts'
import { type Place, whereIs } from '../shell/place.ts'
import type { ShellWord } from '../shell/shell-word.ts'
import { judgeAwk } from './awk.ts'
import { builtins } from './builtins.ts'
import { judgeFind } from './find.ts'
import { judgeGit } from './git.ts'
import { lookingCommands } from './looking.ts'
import { networkCommands } from './network.ts'
import { outwardReason } from './outward.ts'
import { judgeProjectProgram, subcommandReason } from './project-program.ts'
import {
  projectPrograms,
  reachingPrograms,
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
  // `python3.12` is `python3`.
  const known = nameOf(name.value).replace(/^(python|pip)(\d)\.\d+$/, '$1$2')
  if (known.includes('/')) return judgePath(name, args, standing)
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

function judgePath(name: ShellWord, args: readonly ShellWord[], { place }: Standing): Judgement {
  const where = whereIs(name, place)
  if (where === 'inside') return judgeOwnProgram(name, args, place)
  return { ...judged('ask', `runs ${name.text}, from outside the workspace`), hides: true }
}

/** Some projects bring the program that builds and publishes them. */
function judgeOwnProgram({ value, text }: ShellWord, args: readonly ShellWord[], place: Place): Judgement {
  const reason = subcommandReason(value.slice(value.lastIndexOf('/') + 1), args) ?? outwardReason(args, place)
  return reason === undefined ? judged('run', `runs ${text} of the project`) : judged('ask', reason)
}

function judgeProgram(name: string, args: readonly ShellWord[], standing: Standing): Judgement {
  if (ruinousPrograms.test(name)) return judged('ruin', 'makes an end of what is on a disk')
  if (systemPrograms.has(name)) return judged('danger', 'changes the machine')
  if (tellsVersion(name, args)) return judged('probe', 'tells its version')
  if (screenPrograms.has(name)) return judged('ask', 'is for people at a screen, and can run commands')
  if (reachingPrograms.has(name)) return judged('ask', 'reaches beyond the workspace')
  if (projectPrograms.has(name)) return judgeProjectProgram(name, args, standing, judgeCommand)
  return standing.ofProject ? judged('run', 'runs code of the project') : judged('ask', `${name} is not known`)
}

function tellsVersion(name: string, [word, ...more]: readonly ShellWord[]): boolean {
  if (word?.kind !== 'fixed' || more.length > 0) return false
  if (!projectPrograms.has(name) && !reachingPrograms.has(name) && !screenPrograms.has(name)) return false
  return word.value === '--version' || word.value === versionWords[name]
}
