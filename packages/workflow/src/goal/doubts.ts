import { type Command, forEachChild, type Script, type SyntaxNode } from 'unbash'
import { literal, literalWords } from './literal-words.ts'

/** Variables that make a program another one, or tell a runner what to leave out. */
const telling =
  /^(?:PATH|SHELL|ENV|BASH_\w+|SHELLOPTS|IFS|LD_\w+|DYLD_\w+|NODE_\w+|PYTHON\w+|PYTEST_\w+|TOX_\w+|RUST\w*|CARGO_\w+|GO(?:FLAGS|ROOT|TOOLCHAIN|WORK)|MAKE\w*|npm_\w+|NPM_\w+|YARN_\w+|MAVEN_\w+|GRADLE_OPTS|JAVA_TOOL_OPTIONS|JDK_\w+|RUBYOPT|PERL5\w+|MYPY\w+|ESLINT_\w+|JEST_\w+|VITEST_\w+)$/
/** Of these, what changes only how it looks or how fast it is. */
const harmless =
  /^(?:NODE_ENV|NODE_NO_WARNINGS|PYTHON(?:DONTWRITEBYTECODE|UNBUFFERED|HASHSEED|IOENCODING|UTF8)|RUST_(?:BACKTRACE|LOG|TEST_THREADS)|CARGO_(?:TERM_\w+|INCREMENTAL)|(?:npm_config|NPM_CONFIG)_(?:loglevel|color|yes|fund|audit))$/i
const setters = new Set(['env', 'cross-env', 'export', 'declare', 'typeset', 'local', 'readonly', 'read', 'printf'])

function tells(name: string, value?: string): boolean {
  // The folder of the sources is where the tests look for them.
  if (name === 'PYTHONPATH' && value !== undefined && /^\.?\/?(?:src|lib)?\/?$/.test(value)) return false
  return telling.test(name) && !harmless.test(name)
}

/** Whether the words of a command may stand for something else than they say. */
export function redefinesPrograms(root: SyntaxNode): boolean {
  return has(root, (child) => {
    if (child.type === 'Assignment')
      return tells(child.name, child.value.type === 'Word' ? literal(child.value) : undefined)
    if (child.type === 'For') return tells(child.name.value)
    if (child.type !== 'Command') return child.type === 'Function'
    const [program = '', ...rest] = literalWords(child)
    if (['alias', 'hash', 'source', '.'].includes(program)) return true
    const launching = rest.map((word) => /^(\w+)(?:\+?=(.*))?$/s.exec(word ?? '') ?? [])
    return takesVariables(child) && launching.some(([, name = '', value]) => tells(name, value))
  })
}

/** `env`, also behind another launcher, and whatever sets variables by their names. */
function takesVariables(command: Command): boolean {
  return literalWords(command).some((word) => setters.has(word ?? ''))
}

/** Whether something runs at the end, or after a failure, that may have the last word. */
export function trapsTheEnd(root: SyntaxNode): boolean {
  return has(root, (child) => {
    if (child.type !== 'Command') return false
    const [program, ...rest] = literalWords(child)
    if (program !== 'trap') return false
    return /\b(?:exec|return|kill)\b|\bexit\b(?!\s+[1-9])/.test(rest.find((word) => word !== '--') ?? '')
  })
}

/** Whether something before its last command may end it, and well. */
export function endsEarly(root: Script): boolean {
  const last = root.commands.at(-1)?.end
  return has(root, (child) => {
    if (child.type !== 'Command' || child.end === last) return false
    const [program, code, ...more] = literalWords(child)
    if (program === 'trap') return [code, ...more].includes(undefined) && child.args.length > 0
    if (program === 'exec') return code !== undefined || more.length > 0
    return (program === 'exit' || program === 'return') && !/^[1-9]\d*$/.test(code ?? '')
  })
}

function has(root: SyntaxNode, is: (node: SyntaxNode) => boolean): boolean {
  let found = false
  const visit = (child: SyntaxNode): void => {
    found ||= is(child)
    if (!found) forEachChild(child, visit)
  }
  forEachChild(root, visit)
  return found
}
