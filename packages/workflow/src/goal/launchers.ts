import { wordSet } from './word-set.ts'

/** How many words an option takes along with it, for programs whose options come before the command that they start. */
const launchers: ReadonlyMap<string, readonly string[]> = new Map([
  ['env', ['-u', '-C', '-S']],
  ['timeout', ['-k', '-s']],
  ['nice', ['-n']],
  ['ionice', ['-c', '-n']],
  ['stdbuf', ['-i', '-o', '-e']],
  ['nohup', []],
  ['command', []],
  ['exec', []],
  ['time', []],
  ['cross-env', []],
  ['npx', ['-p', '--package']],
  ['bunx', []],
  ['xvfb-run', ['-n', '-s']],
])

/** Programs that start another one when these words follow. */
const subcommands: ReadonlyMap<string, readonly string[]> = new Map([
  ['npm', ['exec']],
  ['pnpm', ['exec']],
  ['yarn', ['exec']],
  ['bun', ['x']],
  ['uv', ['run']],
  ['poetry', ['run']],
  ['pipenv', ['run']],
  ['pdm', ['run']],
  ['hatch', ['run']],
  ['rye', ['run']],
  ['bundle', ['exec']],
])

const deepest = 10

/** The words of the program that does the work: behind `env`, `timeout`, `npx`, `uv run` and their like. */
export function launched(words: readonly string[]): readonly string[] {
  let current = words
  for (let depth = 0; depth < deepest; depth += 1) {
    const started = startedBy(current)
    if (started.length === 0) return current
    current = started
  }
  return current
}

/** The command that a program starts; empty when it starts none. */
function startedBy([first = '', ...rest]: readonly string[]): readonly string[] {
  const program = programName(first)
  const withValue = launchers.get(program)
  if (withValue !== undefined) {
    const inner = behindOptions(rest, withValue)
    return program === 'timeout' ? inner.slice(1) : inner
  }
  if (subcommands.get(program)?.includes(rest[0] ?? '')) {
    // A script of the project goes before the command that tests conditions.
    if (rest[1] === 'test') return []
    return behindOptions(rest.slice(1), ['--with', '--python', '-p', '--package'])
  }
  return program === 'python' && rest[0] === '-m' && pythonTools.has(rest[1] ?? '') ? rest.slice(1) : []
}

/** Tools that are modules. Any other module that goes by the name of a runner is one of the project. */
const pythonTools = wordSet(
  'pytest py.test unittest nose2 tox nox mypy pyright basedpyright pyre flake8 pylint ruff black py_compile compileall',
)

/** Folders that programs are installed in, and programs that projects bring along by custom. */
const installed =
  /^(?:\/usr\/(?:local\/)?bin\/|\/bin\/|(?:.*\/)?(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)\/)|^\.\/(?:gradlew|mvnw)$/

/**
 * Whether the words start a program of unknown origin by the name of one that is known: by its path, or out of a package
 * that is named besides.
 */
export function isForeign(words: readonly string[]): boolean {
  const [path = ''] = launched(words)
  const behind = words.slice(0, words.indexOf(path))
  const isUnknown = [...behind, path].some((word) => /^[^-=]*\/[^=]*$/.test(word) && !installed.test(word))
  const names = behind.some((word) => /^(?:-p|--package)\b/.test(word))
  return isUnknown || (names && behind.some((word) => /^(?:npx|bunx|npm|pnpm)$/.test(word)))
}

/** A program without its folder and version: `.venv/bin/python3.12` is `python`. */
export function programName(word: string): string {
  const name = word.split('/').at(-1) ?? ''
  return /^python[\d.]*$/.test(name) ? 'python' : name
}

function behindOptions(words: readonly string[], withValue: readonly string[]): readonly string[] {
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? ''
    if (word === '--') return words.slice(index + 1)
    if (withValue.includes(word)) index += 1
    else if (!word.startsWith('-') && !/^\w+=/.test(word)) return words.slice(index)
  }
  return []
}
