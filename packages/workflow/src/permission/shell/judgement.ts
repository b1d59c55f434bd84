import { isWorse, type Level } from './level.ts'
import { type Place, whereIs } from './place.ts'
import type { ShellWord } from './shell-word.ts'

/** What a command reads when it reads what it is fed. */
export type Feed =
  | { readonly kind: 'nothing' }
  /** Text in the command line itself, if all of it is fixed. */
  | { readonly kind: 'text'; readonly text: string }
  /** The output of another command, a file, or text that is not fixed. */
  | { readonly kind: 'unknown' }

export interface Standing {
  readonly place: Place
  readonly feed: Feed
  /** Names are looked up among the programs of the project first. */
  readonly ofProject: boolean
}

/** What one command can lead to. */
export interface Judgement {
  readonly level: Level
  readonly why: string
  /** It runs something that cannot be read here, so that no rule can be held against it. */
  readonly hides?: true
  /** Commands that it starts. A command of level `probe` that starts others is nothing but they are. */
  readonly starts?: readonly (readonly ShellWord[])[]
  /** What it starts is looked for among the programs of the project first. */
  readonly ofProject?: true
  /** Shell text that it runs. */
  readonly scripts?: readonly string[]
  /** It takes the folder of the runtime away, along with everything else. */
  readonly sweeps?: true
  /** It brings something in from the network. */
  readonly fetches?: true
  /** What it runs may have come from another command of the line. */
  readonly runsInput?: true
  /** Paths that are relative no longer start from where they did. */
  readonly wanders?: true
}

export type Judge = (args: readonly ShellWord[], standing: Standing) => Judgement

export const judged = (level: Level, why: string): Judgement => ({ level, why })

/** The level of changing these files. */
export function changes(words: readonly ShellWord[], { place }: Standing): Judgement {
  let found: Judgement = judged('write', 'changes files that it names')
  for (const word of words) {
    const one = changeOf(word, place)
    if (isWorse(one.level, found.level)) found = one
  }
  return found
}

/** The level of changing one file. */
export function changeOf(word: ShellWord, place: Place): Judgement {
  const where = whereIs(word, place)
  switch (where) {
    case 'sink':
      return judged('probe', 'leaves nothing behind')
    case 'inside':
    case 'top':
      return judged('write', `changes ${word.text}`)
    case 'outside':
      return judged('ask', `changes ${word.text}, outside the workspace`)
    case 'unknown':
      return judged('ask', `changes ${word.text}, and it is not known where that leads`)
    case 'system':
      return judged('danger', `changes ${word.text}, which belongs to the system`)
    case 'device':
      return judged('ruin', `writes to the device ${word.text}`)
    default:
      return where satisfies never
  }
}
