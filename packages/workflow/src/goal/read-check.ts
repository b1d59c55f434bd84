import {
  type AndOr,
  type Command,
  type CompoundList,
  forEachChild,
  parse,
  type Pipeline,
  type PipelineNode,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type TestExpression,
  type Word,
} from 'unbash'
import {
  atMost,
  both,
  type CheckReading,
  either,
  judgedByOthers,
  overruled,
  reading,
  withoutOutput,
} from './check-reading.ts'
import { comparison, readProgram } from './read-program.ts'

interface Context {
  /** A pipeline fails when any part of it does. */
  readonly pipefail: boolean
  /** How many shells deep. */
  readonly depth: number
}

const deepest = 8
const passes = reading('nothing')
const fails = reading('behaviour')

/** What a shell command can show when it passes: whatever its last word on the exit code leaves of it. */
export function readCheck(command: string): CheckReading {
  const read = readScript(command, { pipefail: false, depth: 0 })
  return read.strength === 'nothing' && read.kind === 'existence' ? { ...read, kind: 'runtime' } : read
}

function readScript(command: string, context: Context): CheckReading {
  if (context.depth > deepest) return reading('unclear', { runsMore: true })
  const script = parse(command)
  const read = readList(script.commands, context)
  if (script.errors !== undefined && script.errors.length > 0) return atMost('unclear', { ...read, runsMore: true })
  return redefinesPrograms(script) ? atMost('unclear', read) : read
}

/** The exit code of a list is that of its last command, unless the shell was told to stop at the first failure. */
function readList(statements: readonly Statement[], context: Context): CheckReading {
  let read = passes
  let stopsEarly = false
  let { pipefail } = context
  for (const { command, background } of statements) {
    const [program, ...options] = literalWords(command)
    if (program === 'exit' || program === 'return') return exits(read, options)
    if (program === 'trap' && /\bexit\b/.test(options[0] ?? '')) return atMost('nothing', read)
    if (program === 'set') {
      stopsEarly ||= options.some((word) => word === 'errexit' || /^-[a-z]*e/.test(word ?? ''))
      pipefail ||= options.includes('pipefail')
    } else {
      const next = readNode(command, { ...context, pipefail })
      const counted = background ? overruled(next, passes) : next
      read = stopsEarly ? both(read, counted) : overruled(read, counted)
    }
  }
  return read
}

function exits(before: CheckReading, options: readonly (string | undefined)[]): CheckReading {
  const [code] = options
  if (options.length === 0) return before
  if (code === undefined) return overruled(before, reading('unclear'))
  return overruled(before, Number(code) === 0 ? passes : fails)
}

function readNode(command: AndOr | PipelineNode, context: Context): CheckReading {
  switch (command.type) {
    case 'AndOr':
      return readChain(command, context)
    case 'Pipeline':
      return readPipeline(command, context)
    case 'Command':
      return printed(command.redirects, readCommand(command, context))
    case 'Redirected':
      return printed(command.redirects, readNode(command.command, context))
    case 'TestCommand':
      return readTest(command.expression)
    case 'Subshell':
    case 'BraceGroup':
      return readList(command.body.commands, context)
    case 'If':
      return branches(
        [command.then, ...command.elif.map(({ then }) => then), ...(command.else ? [command.else] : [])],
        context,
        [command.clause, ...command.elif.map(({ clause }) => clause)],
      )
    case 'Case':
      return branches(
        command.items.map(({ body }) => body),
        context,
      )
    case 'While':
      return branches([command.body], context, [command.clause])
    case 'For':
    case 'ArithmeticFor':
    case 'Select':
      return branches([command.body], context)
    case 'ArithmeticCommand':
      return reading('unclear')
    case 'Function':
    case 'Coproc':
      return passes
    default:
      return command satisfies never
  }
}

/** Runners print their summary to the standard output. */
function printed(redirects: readonly Redirection[], read: CheckReading): CheckReading {
  const away = redirects.some(({ operator, descriptor }) => {
    const other = descriptor?.type === 'FileDescriptor' && descriptor.value !== 1
    return /^&?>/.test(operator) && !other
  })
  return away ? withoutOutput(read) : read
}

function readChain({ commands, operators }: AndOr, context: Context): CheckReading {
  const [first = passes, ...others] = commands.map((command) =>
    command.type === 'Command' && literalWords(command)[0] === 'exit'
      ? exits(passes, literalWords(command).slice(1))
      : readNode(command, context),
  )
  return others.reduce(
    (read, next, index) => (operators[index] === '||' ? either(read, next) : both(read, next)),
    first,
  )
}

/** The last part decides; what the others print is what it judges. */
function readPipeline({ commands }: Pipeline, context: Context): CheckReading {
  const parts = commands.map((command) => readNode(command, context))
  return parts.reduce(
    (read, next) => (context.pipefail ? both(read, next) : overruled(judgedByOthers(read), next)),
    passes,
  )
}

/** Which of them runs is not known before. */
function branches(
  bodies: readonly CompoundList[],
  context: Context,
  clauses: readonly CompoundList[] = [],
): CheckReading {
  const asked = clauses.map(({ commands }) => readList(commands, context)).reduce(overruled, passes)
  const read = bodies.map(({ commands }) => readList(commands, context)).reduce(both, passes)
  return overruled(asked, atMost('unclear', read))
}

function readCommand(command: Command, context: Context): CheckReading {
  const words = literalWords(command)
  const [program, ...rest] = words
  const substituted = scriptsWithin(command, context)
  if (words.length === 0) return overruled(substituted, passes)
  if (program === 'cd' || program === 'pushd') return reading('presence', { kind: 'existence', narrow: true })
  return overruled(substituted, programOrShell(program, rest, context, words))
}

function programOrShell(
  program: string | undefined,
  rest: readonly (string | undefined)[],
  { depth }: Context,
  words: readonly (string | undefined)[],
): CheckReading {
  const place = rest.findIndex((word) => /^-[a-z]*c$/.test(word ?? ''))
  const isShell = /^(?:.*\/)?(?:bash|sh|zsh|dash)$/.test(program ?? '')
  const inner = program === 'eval' ? rest.join(' ') : isShell && place >= 0 ? rest[place + 1] : undefined
  if (program === 'eval' && rest.includes(undefined)) return reading('unclear', { runsMore: true })
  if (inner !== undefined) return readScript(inner, { pipefail: false, depth: depth + 1 })
  return readProgram(words)
}

function readTest(expression: TestExpression): CheckReading {
  switch (expression.type) {
    case 'TestUnary':
      return comparison([expression.operator, literal(expression.operand)])
    case 'TestBinary':
      return comparison([literal(expression.left), expression.operator, literal(expression.right)])
    case 'TestLogical':
      return expression.operands
        .map(readTest)
        .reduce(expression.operator === '&&' ? both : either, expression.operator === '&&' ? passes : fails)
    case 'TestNot':
      return readTest(expression.operand)
    case 'TestGroup':
      return readTest(expression.expression)
    default:
      return expression satisfies never
  }
}

/** What runs inside of the words of a command. Its output is judged, its exit code is not. */
function scriptsWithin(command: Command, context: Context): CheckReading {
  let read = passes
  const visit = (child: SyntaxNode): void => {
    if (child.type === 'Script') read = overruled(read, judgedByOthers(readList(child.commands, context)))
    else forEachChild(child, visit)
  }
  forEachChild(command, visit)
  return read
}

/** Variables that make a program another one. */
const telling =
  /^(?:PATH|SHELL|ENV|BASH_ENV|LD_PRELOAD|NODE_\w+|PYTHON\w+|PYTEST_\w+|RUST\w*|CARGO_\w+|GOFLAGS|npm_\w+)$/

/** Whether the words of a command may stand for something else than they say. */
function redefinesPrograms(root: SyntaxNode): boolean {
  let found = false
  const visit = (child: SyntaxNode): void => {
    found ||= child.type === 'Function' || (child.type === 'Assignment' && telling.test(child.name))
    found ||= child.type === 'Command' && ['alias', 'hash', 'source', '.'].includes(literalWords(child)[0] ?? '')
    if (!found) forEachChild(child, visit)
  }
  forEachChild(root, visit)
  return found
}

/** The words of a simple command; those that only the shell can fill in are undefined. None for any other node. */
function literalWords(command: AndOr | PipelineNode): (string | undefined)[] {
  if (command.type !== 'Command' || command.name === undefined) return []
  return [command.name, ...command.args].map((word) => (word.type === 'Word' ? literal(word) : word.text))
}

function literal({ value, parts = [] }: Word): string | undefined {
  const known = parts.every((part) => {
    if (part.type === 'DoubleQuoted') return part.parts.every(({ type }) => type === 'Literal')
    return (
      part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted' || part.type === 'Glob'
    )
  })
  return known ? value : undefined
}
