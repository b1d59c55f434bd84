import { forEachChild, parse, type Command, type HereDoc, type Redirect, type SyntaxNode } from 'unbash'
import { readWord, type ShellWord } from './shell-word.ts'
import { startedBy } from './started-by.ts'

/** A command with its words, from anywhere in the line: after an operator, in a substitution, or in an argument. */
export interface ReadCommand {
  /** As written, without its redirections. */
  readonly text: string
  readonly words: readonly ShellWord[]
  /** Words of another command that may be a command themselves, such as arguments of `sudo` or `find -exec`. */
  readonly isCandidate?: true
}

/**
 * What a command line says, for rules to match. It never tells what a command does: a program can do anything, and
 * walls decide what it can reach.
 */
export interface ShellReading {
  /** Every command that the line may run, as far as it can be parsed. */
  readonly commands: readonly ReadCommand[]
  /** Files that redirections write. */
  readonly writes: readonly ShellWord[]
  /** Words outside of commands: targets of redirections and values of variables. */
  readonly words: readonly ShellWord[]
  /** Variables that the line sets. */
  readonly sets: readonly string[]
  /** It evaluates variables as arithmetic, which in bash can run a command: `a[$(…)]`. */
  readonly computes: boolean
  /** Why it may run more than was parsed; absent if it cannot. */
  readonly hides?: string
}

/** Larger inputs are not parsed, so that parsing always takes little time. */
const limits = { characters: 16_384, nodes: 20_000, depth: 12 } as const

interface Draft {
  readonly commands: ReadCommand[]
  readonly writes: ShellWord[]
  readonly words: ShellWord[]
  readonly sets: string[]
  readonly waiting: { readonly node: SyntaxNode; readonly around: Around }[]
  computes: boolean
  hides: string | undefined
}

interface Around {
  /** The text that positions in the part refer to. */
  readonly source: string
  readonly depth: number
  /** Text that the part reads from its input; null if known only at run time. */
  readonly feed: string | null | undefined
  /** Its words are arguments of a command. */
  readonly isArgument: boolean
}

/** Parses a command line for bash and POSIX shells. It never throws. */
export function readShell(command: string): ShellReading {
  const draft: Draft = { commands: [], writes: [], words: [], sets: [], waiting: [], computes: false, hides: undefined }
  if (command.length > limits.characters) hide(draft, 'it is too long to be read')
  else {
    if (unreadable.test(command)) hide(draft, 'it has characters that cannot be seen')
    waitFor(draft, [parse(command)], { source: command, depth: 0, feed: undefined, isArgument: false })
    readAll(draft)
  }
  const { commands, writes, words, sets, computes, hides } = draft
  return { commands, writes, words, sets, computes, ...(hides !== undefined && { hides }) }
}

/**
 * Control characters, characters that look like a space or are invisible, and those that change the writing direction.
 */
const unreadable =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\0-\x08\x0b-\x1f\x7f-\x9f\xa0\xad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Cs}]/u

function hide(draft: Draft, why: string): void {
  draft.hides ??= why
}

/** Adds the nodes in the order in which they are written. */
function waitFor(draft: Draft, nodes: readonly SyntaxNode[], around: Around): void {
  for (const node of nodes.toReversed()) draft.waiting.push({ node, around })
}

/** The depth of the tree is not limited by the author, so it is walked with an explicit stack. */
function readAll(draft: Draft): void {
  let count = 0
  for (let next = draft.waiting.pop(); next !== undefined; next = draft.waiting.pop()) {
    if (++count > limits.nodes) return hide(draft, 'it has too many parts to be read')
    visit(draft, next.node, next.around)
  }
}

function visit(draft: Draft, node: SyntaxNode, around: Around): void {
  const children = (changed: Partial<Around> = {}) => waitFor(draft, childrenOf(node), { ...around, ...changed })
  switch (node.type) {
    case 'Script': {
      const [error] = node.errors ?? []
      if (error !== undefined) hide(draft, `it cannot be parsed: ${error.message}`)
      return children({ source: node.source ?? around.source, isArgument: false })
    }
    case 'Pipeline':
      for (const [index, command] of [...node.commands.entries()].toReversed()) {
        waitFor(draft, [command], index === 0 ? around : { ...around, feed: null })
      }
      return
    case 'Command':
      readCommand(draft, node, { ...around, feed: feedOf(node, around.feed) })
      return children({ isArgument: true })
    case 'Redirected':
    case 'ProcessSubstitution':
      return children({ feed: null })
    case 'Redirect':
      readRedirect(draft, node)
      return children({ isArgument: false })
    case 'Assignment':
      draft.sets.push(node.name)
      draft.computes ||= node.index !== undefined
      return children({ isArgument: false })
    case 'Word':
      if (!around.isArgument) draft.words.push(...readWord(node))
      return children()
    case 'CommandExpansion':
    case 'ArithmeticCommandExpansion':
      if (node.script === undefined) hide(draft, 'what it runs cannot be read')
      return children()
    case 'ArithmeticWord':
      draft.computes ||= !/^\d+$/.test(node.value)
      return children()
    case 'TestBinary':
      draft.computes ||= /^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator)
      return children()
    case 'TestUnary':
      draft.computes ||= /^-[vR]$/.test(node.operator)
      return children()
    case 'Slice':
      draft.computes = true
      return children()
    case 'ParameterExpansion':
      draft.computes ||= node.index !== undefined
      if (node.prefix === '!') hide(draft, 'it expands what another variable names')
      return children()
    case 'Unknown':
      return hide(draft, 'part of it is not known')
    default:
      return children()
  }
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = []
  forEachChild(node, (child) => children.push(child))
  return children
}

function readCommand(draft: Draft, { name, args }: Command, around: Around): void {
  if (name === undefined) return
  const words = [name, ...args].flatMap((arg) => (arg.type === 'Assignment' ? [assignmentWord(arg)] : readWord(arg)))
  noteCommand(draft, words, [name, ...args].map(({ text }) => text).join(' '), around)
}

/** Records a command and every command that it starts. */
function noteCommand(draft: Draft, words: readonly ShellWord[], text: string, around: Around): void {
  draft.commands.push({ text, words })
  if (around.depth >= limits.depth) return hide(draft, 'it starts too much in turn to be read')
  const { commands, scripts, hides } = startedBy(words, around.feed)
  if (hides !== undefined) hide(draft, hides)
  const inner = { ...around, depth: around.depth + 1 }
  for (const started of commands) noteStarted(draft, started, inner)
  for (const source of scripts) waitFor(draft, [parse(source)], { ...inner, source, isArgument: false })
}

/** Every argument that may be a program was recorded already, so what that program starts is among them. */
function noteStarted(draft: Draft, words: readonly ShellWord[], around: Around): void {
  draft.commands.push({ text: words.map(({ text }) => text).join(' '), words, isCandidate: true })
  const { scripts, hides } = startedBy(words, around.feed)
  if (hides !== undefined) hide(draft, hides)
  for (const source of scripts) waitFor(draft, [parse(source)], { ...around, source, isArgument: false })
}

/** `NAME=value` after `export` and similar commands. */
function assignmentWord({ text, name, value }: Extract<Command['args'][number], { type: 'Assignment' }>): ShellWord {
  const [word] = value.type === 'ArrayValue' ? [] : readWord(value)
  const known = word ?? { value: '', kind: 'fixed' as const }
  return { text, value: `${name}=${known.value}`, kind: known.kind }
}

function readRedirect(draft: Draft, { operator, target }: Redirect): void {
  if (operator === '<' || operator === '<&' || target === undefined) return
  const words = readWord(target)
  const [word] = words
  const joins = operator === '>&' && word?.kind === 'fixed' && /^(?:\d+-?|-)$/.test(word.value)
  if (!joins && word?.value !== '/dev/null') draft.writes.push(...words)
}

/** What a command reads from its input: text of the line, or null if known only at run time. */
function feedOf({ redirects }: Command, otherwise: Around['feed']): Around['feed'] {
  let feed = otherwise
  for (const redirect of redirects) {
    if (redirect.type === 'HereDoc') feed = textOf(redirect)
    else if (redirect.type === 'HereString') {
      const [word, ...more] = redirect.target === undefined ? [] : readWord(redirect.target)
      feed = word?.kind === 'fixed' && more.length === 0 ? word.value : null
    } else if (redirect.operator.startsWith('<')) feed = null
  }
  return feed
}

function textOf({ body, delimiter }: HereDoc): string | null {
  if (delimiter?.quoted === true || body.parts === undefined) return body.text
  const texts = body.parts.map((part) => (part.type === 'Literal' ? part.value : undefined))
  return texts.includes(undefined) ? null : texts.join('')
}
