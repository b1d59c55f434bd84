import type { Assignment, ParameterExpansionPart, SyntaxNode, TestExpression, Word } from 'unbash'
import { variableLevel } from './assignments.ts'
import { type Judgement, judged } from './judgement.ts'
import { notUnderstood } from './reading.ts'

const nothing = judged('probe', 'only looks')

/**
 * What a part of a word, an assignment or a test can lead to by itself. Bash evaluates the text that a variable holds
 * where it expects a number or a name, and that text may contain commands: only numbers are safe there.
 */
export function judgePart(node: SyntaxNode): Judgement {
  switch (node.type) {
    case 'AnsiCQuoted':
      return node.text.includes(String.raw`\'`) ? notUnderstood('shells differ on where it ends') : nothing
    case 'ExtendedGlob':
      return notUnderstood('shells differ on what it means')
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      return node.script === undefined ? notUnderstood('what it runs cannot be read') : substitutes
    case 'ParameterExpansion':
      return judgeParameter(node)
    case 'Unknown':
      return notUnderstood('it is not known what it does')
    case 'Transform':
      return /^[ULuQEAaKk]$/.test(node.operand.text)
        ? nothing
        : notUnderstood('it runs the commands in what it expands')
    case 'Slice':
      return isNumber(node.offset) && (node.length === undefined || isNumber(node.length)) ? nothing : evaluates
    case 'ArithmeticWord':
      return /^(?:\d+|\s*)$/.test(node.value) ? nothing : evaluates
    case 'ArithmeticExpansion':
      if (node.text.startsWith('$[')) return notUnderstood('shells differ on what it means')
      return node.expression === undefined ? notUnderstood('it cannot be read') : nothing
    case 'ArithmeticCommand':
      if (/[;\n]|(?<!\|)\|(?!\|)|(?<!&)&(?!&)/.test(node.body)) return notUnderstood('shells differ on what it means')
      if (/[<>|&]/.test(node.body)) return otherwiseCommands
      return node.expression === undefined && node.body.trim() !== '' ? notUnderstood('it cannot be read') : nothing
    case 'Assignment':
      return judgeAssignment(node)
    case 'TestUnary':
    case 'TestBinary':
    case 'TestLogical':
      return judgeTest(node)
    case 'For':
    case 'Select':
      return judged(variableLevel(node.name.value), `sets ${node.name.text}`)
    default:
      return nothing
  }
}

/** What comes out of one command becomes words of another: the line does more than each of its commands says. */
const substitutes = judged('run', 'puts the output of a command into the line')
const otherwiseCommands = judged('run', 'is a test in some shells, and runs commands or writes files in others')
const evaluates = judged('run', 'evaluates what a variable holds, commands included')

function judgeParameter({ parameter, prefix, index, operation }: ParameterExpansionPart): Judgement {
  if (!/^(?:\w+|[@*#?$!-])$/.test(parameter)) return notUnderstood('it is not known what it expands')
  if (prefix === '!') return notUnderstood('it expands what another variable names')
  if (index !== undefined && !isIndex(index)) return evaluates
  if (operation?.type === 'Default' && operation.operator.endsWith('=')) {
    return judged(variableLevel(parameter), `sets ${parameter}`)
  }
  return nothing
}

function judgeAssignment({ name, index }: Assignment): Judgement {
  const level = variableLevel(name)
  if (level !== 'probe') return judged(level, `sets ${name}, which programs may read`)
  return index === undefined || isIndex(index) ? nothing : evaluates
}

/** Shells without `[[` and `((` take their operators for those between commands, and `>` for a redirection. */
function judgeTest(node: TestExpression): Judgement {
  if (node.type === 'TestLogical') return node.operands.slice(1).every(isUnary) ? nothing : otherwiseCommands
  if (node.type === 'TestBinary' && /^[<>]$/.test(node.operator)) return otherwiseCommands
  if (node.type === 'TestBinary' && node.operator === '=~' && /[|&;<>()]/.test(node.right.text))
    return otherwiseCommands
  if (node.type === 'TestUnary' && /^-[vR]$/.test(node.operator)) {
    return /^\w+$/.test(node.operand.text) ? nothing : evaluates
  }
  if (node.type === 'TestBinary' && /^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator)) {
    return isNumber(node.left) && isNumber(node.right) ? nothing : evaluates
  }
  return nothing
}

/** With its operator written out: without one, the operand looks like a command. */
function isUnary(node: TestExpression): boolean {
  return node.type === 'TestUnary' && node.pos < node.operand.pos
}

function isNumber(word: Word): boolean {
  return /^\s*-?\d*$/.test(word.text)
}

function isIndex(word: Word): boolean {
  return /^(?:\d+|[@*])$/.test(word.text)
}
