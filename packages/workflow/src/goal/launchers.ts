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
    return behindOptions(rest.slice(1), ['--with', '--python', '-p', '--package'])
  }
  return program === 'python' && rest[0] === '-m' ? rest.slice(1) : []
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
