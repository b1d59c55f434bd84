import { forEachChild, parse, type Command, type Pipeline, type Script, type SyntaxNode } from 'unbash'
import { isKnownCommand, nameOf } from '../commands/judge-command.ts'
import { variableLevel } from './assignments.ts'
import { judgePart } from './expansions.ts'
import { judged } from './judgement.ts'
import { type Place, resolved, whereIs } from './place.ts'
import { type Around, type Draft, note, notUnderstood, type ShellReading, wait } from './reading.ts'
import { judgeHereDoc, judgeRedirect } from './redirects.ts'
import { readWord } from './shell-word.ts'
import { startCommand } from './start-command.ts'

/** What is longer or has more parts is not judged, so that nothing takes long to judge. */
const limits = { characters: 16_384, nodes: 20_000 } as const

/**
 * Reads a command line, for bash and for shells that follow POSIX, into all the commands that it may run and all else
 * that it may do. What is not understood is among them and says so. It never fails.
 */
export function readShell(command: string, base: Place = {}): ShellReading {
  const tooLong = command.length > limits.characters
  const script = tooLong ? undefined : parse(command)
  const place: Place = { ...base, ...(script && { folder: folderOf(script, base) }) }
  const draft: Draft = { commands: [], constructs: [], words: [], functions: new Set(), waiting: [], place }
  if (script === undefined) {
    note(draft, command, notUnderstood('it is too long to be judged'))
    return draft
  }
  if (script.commands.length === 0) note(draft, command, judged('ask', 'there is no command'))
  if (unreadable.test(command)) note(draft, command, notUnderstood('it has characters that nobody sees'))
  wait(draft, [script], outermost(command))
  readAll(draft, command)
  return draft
}

/** Control characters, and characters that look like a space, like nothing, or turn the direction of writing. */
const unreadable =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\0-\x08\x0b-\x1f\x7f-\x9f\xa0\xad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Cs}]/u

function outermost(source: string): Around {
  const feed = { kind: 'nothing' } as const
  return { source, depth: 0, feed, flows: false, beside: false, ofProject: false, within: [], isArgument: false }
}

/** The tree is as deep as the user likes, so it is gone through with a stack of our own. */
function readAll(draft: Draft, command: string): void {
  let count = 0
  for (let next = draft.waiting.pop(); next !== undefined; next = draft.waiting.pop()) {
    if (++count > limits.nodes) {
      note(draft, command, notUnderstood('it has too many parts to be judged'))
      return
    }
    visit(draft, next.node, next.around)
  }
}

function visit(draft: Draft, node: SyntaxNode, around: Around): void {
  const part = around.source.slice(node.pos, node.end)
  note(draft, part, judgePart(node))
  switch (node.type) {
    case 'Script': {
      const [error] = node.errors ?? []
      const source = node.source ?? around.source
      if (error !== undefined) note(draft, source, notUnderstood(`it cannot be parsed: ${error.message}`))
      return wait(draft, node.commands, { ...around, source, isArgument: false })
    }
    case 'Statement':
      return wait(draft, [node.command], { ...around, beside: around.beside || node.background === true })
    case 'Pipeline':
      return visitPipeline(draft, node, around)
    case 'Command':
      if (isSplitElsewhere(node)) note(draft, part, notUnderstood('shells differ on where the command ends'))
      startCommand(draft, node, around)
      return wait(
        draft,
        childrenOf(node).filter((child) => !splitsForRead(node, child)),
        { ...around, isArgument: true },
      )
    case 'Function':
      note(draft, part, judged(isKnownCommand(nameOf(node.name.value)) ? 'ask' : 'run', `defines ${node.name.value}`))
      draft.functions.add(node.name.value)
      return wait(draft, [node.body], { ...around, within: [...around.within, node.name.value] })
    case 'Coproc':
      note(draft, part, judged('run', 'runs a command beside the others'))
      if (node.name !== undefined) note(draft, part, judged(variableLevel(node.name.value), `sets ${node.name.value}`))
      return wait(draft, [node.body], { ...around, beside: true })
    case 'Redirected':
      return visitChildren(draft, node, { ...around, feed: { kind: 'unknown' } })
    case 'Redirect':
      note(draft, part, judgeRedirect(node, draft.place))
      return visitChildren(draft, node, { ...around, isArgument: false })
    case 'HereDoc':
      note(draft, part, judgeHereDoc(node))
      return visitChildren(draft, node, around)
    case 'CommandExpansion':
    case 'ArithmeticCommandExpansion':
      return visitChildren(draft, node, { ...around, flows: true })
    case 'ProcessSubstitution':
      return visitChildren(draft, node, { ...around, flows: true, feed: { kind: 'unknown' } })
    case 'Assignment':
      return visitChildren(draft, node, { ...around, isArgument: false })
    case 'Word':
      if (!around.isArgument) draft.words.push(...readWord(node))
      return visitChildren(draft, node, around)
    default:
      return visitChildren(draft, node, around)
  }
}

function visitChildren(draft: Draft, node: SyntaxNode, around: Around): void {
  wait(draft, childrenOf(node), around)
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = []
  forEachChild(node, (child) => children.push(child))
  return children
}

/** `IFS= read line`: it says how that line is split, and holds for nothing else. */
function splitsForRead({ name }: Command, child: SyntaxNode): boolean {
  if (name?.value !== 'read' || child.type !== 'Assignment' || child.name !== 'IFS') return false
  return child.value.type === 'Word' && child.value.parts === undefined && child.index === undefined
}

/** Shells without `&>` end the command at `&`, and what follows the file is another. */
function isSplitElsewhere({ redirects, args, name }: Command): boolean {
  return redirects.some(
    (redirect) =>
      redirect.type === 'Redirect' &&
      redirect.operator.startsWith('&>') &&
      [name, ...args].some((word) => word !== undefined && word.pos > redirect.pos),
  )
}

/** All but the first are fed by the one before, and the output of all but the last goes on. */
function visitPipeline(draft: Draft, { commands }: Pipeline, around: Around): void {
  const beside = around.beside || commands.length > 1
  for (const [index, command] of [...commands.entries()].toReversed()) {
    const feed = index === 0 ? around.feed : ({ kind: 'unknown' } as const)
    wait(draft, [command], { ...around, feed, beside, flows: around.flows || index < commands.length - 1 })
  }
}

/** The folder that everything else runs in, where a line is nothing but `cd folder && …`. */
function folderOf({ commands }: Script, base: Place): string {
  const { folder = '' } = base
  const [only, ...others] = commands
  if (only === undefined || others.length > 0 || only.command.type !== 'AndOr') return folder
  const { operators, commands: steps } = only.command
  const [first, ...rest] = steps
  if (operators.some((operator) => operator !== '&&') || first?.type !== 'Command' || !isChange(first)) return folder
  if (rest.some((step) => step.type !== 'Command' || isChange(step))) return folder
  const [target, ...more] = first.args.flatMap((arg) => (arg.type === 'Word' ? readWord(arg) : []))
  if (target?.kind !== 'fixed' || more.length > 0 || whereIs(target, base) !== 'inside') return folder
  return target.value.startsWith('/') ? folder : resolved(`${folder}/${target.value}`).replace(/^\//, '')
}

function isChange({ name }: Command): boolean {
  return name?.value === 'cd' || name?.value === 'pushd' || name?.value === 'popd'
}
