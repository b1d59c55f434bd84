import type { SyntaxNode } from 'unbash'
import { type Feed, type Judgement, judged } from './judgement.ts'
import type { Place } from './place.ts'
import type { ShellWord } from './shell-word.ts'

/** A command with its words, wherever it stands in the line: behind an operator, in a substitution, in another's text. */
export interface ReadCommand {
  /** As it is written, without its redirections. */
  readonly text: string
  readonly words: readonly ShellWord[]
  readonly judgement: Judgement
  /** Its output goes into another command or into a word. */
  readonly flows: boolean
}

/** Anything that is not a command of its own: a redirection, an assignment, a definition. */
interface Construct extends Judgement {
  readonly part: string
}

export interface ShellReading {
  readonly commands: readonly ReadCommand[]
  /** Only those that do more than look. */
  readonly constructs: readonly Construct[]
  /** Words outside of commands: what redirections lead to, what variables are set to. */
  readonly words: readonly ShellWord[]
}

/** What is around a part of the line. */
export interface Around {
  /** The text that the positions of the part count in. */
  readonly source: string
  readonly depth: number
  readonly feed: Feed
  readonly flows: boolean
  /** It runs beside others: in a pipeline or in the background. */
  readonly beside: boolean
  /** Names are looked up among the programs of the project first. */
  readonly ofProject: boolean
  /** Functions that it is in the body of. */
  readonly within: readonly string[]
  /** Its words belong to a command. */
  readonly isArgument: boolean
}

/** A reading under way. What waits is read last in, first out. */
export interface Draft {
  readonly commands: ReadCommand[]
  readonly constructs: Construct[]
  readonly words: ShellWord[]
  readonly functions: Set<string>
  readonly waiting: { readonly node: SyntaxNode; readonly around: Around }[]
  readonly place: Place
}

export function note(draft: Draft, part: string, judgement: Judgement): void {
  if (judgement.level !== 'probe' || judgement.fetches === true) draft.constructs.push({ ...judgement, part })
}

/** In the order in which they are written. */
export function wait(draft: Draft, nodes: readonly SyntaxNode[], around: Around): void {
  for (const node of nodes.toReversed()) draft.waiting.push({ node, around })
}

export function notUnderstood(why: string): Judgement {
  return { ...judged('ask', why), hides: true }
}
