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
import { endsEarly, redefinesPrograms, trapsTheEnd } from './doubts.ts'
import { literal, literalWords } from './literal-words.ts'
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
const onlyParses = reading('presence', { kind: 'syntax' })

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
  if (trapsTheEnd(script)) return atMost('nothing', read)
  return redefinesPrograms(script) || endsEarly(script) ? atMost('unclear', read) : read
}

/** The exit code of a list is that of its last command, unless the shell was told to stop at the first failure. */
function readList(statements: readonly Statement[], context: Context): CheckReading {
  let read = passes
  let stopsEarly = false
  let { pipefail } = context
  for (const { command, background } of statements) {
    const [program, ...options] = literalWords(command)
    if (program === 'exit' || program === 'return') return exits(read, options)
    if (program === 'set') {
      if (options.some((word) => word === 'noexec' || /^-[a-z]*n/.test(word ?? ''))) return onlyParses
      const turnsOff = options.some((word) => /^\+[a-z]*[eo]/.test(word ?? ''))
      stopsEarly =
        !turnsOff && (stopsEarly || options.some((word) => word === 'errexit' || /^-[a-z]*e/.test(word ?? '')))
      pipefail = !turnsOff && (pipefail || options.includes('pipefail'))
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
function readPipeline({ commands, prefixes }: Pipeline, context: Context): CheckReading {
  const parts = commands.map((command) => readNode(command, context))
  const read = parts.reduce(
    (before, next) => (context.pipefail ? both(before, next) : overruled(judgedByOthers(before), next)),
    passes,
  )
  // Turned around, a runner passes because something is wrong.
  return prefixes.some(({ type }) => type === 'Negation') ? atMost('unclear', read) : read
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
  if (inner !== undefined) {
    const options = isShell ? rest.slice(0, place + 1) : []
    if (options.some((word) => /^-[a-z]*n/.test(word ?? ''))) return onlyParses
    const read = readScript(inner, { pipefail: false, depth: depth + 1 })
    return options.some((word) => !/^-[a-z]+$/.test(word ?? '') || /i/.test(word ?? ''))
      ? atMost('unclear', read)
      : read
  }
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
