import type { CheckKind } from './check-reading.ts'

/** Programs that are checks by themselves. */
const programs: ReadonlyMap<string, CheckKind> = new Map([
  ...named('test', 'vitest jest mocha ava tap tape jasmine karma pytest py.test unittest nose2 tox nox rspec phpunit'),
  ...named('test', 'pest ctest bats busted prove'),
  ...named('typecheck', 'tsc vue-tsc svelte-check mypy pyright basedpyright pyre'),
  ...named('lint', 'eslint oxlint flake8 pylint shellcheck rubocop golangci-lint staticcheck stylelint standard xo'),
])

/** Programs that are a check with the right word behind them. */
const commands: ReadonlyMap<string, ReadonlyMap<string, CheckKind>> = new Map([
  ['cargo', words(['test', 'test nextest'], ['typecheck', 'check'], ['lint', 'clippy'], ['build', 'build'])],
  ['go', words(['test', 'test'], ['lint', 'vet'], ['build', 'build'])],
  ['deno', words(['test', 'test'], ['typecheck', 'check'], ['lint', 'lint'])],
  ['bun', words(['test', 'test'])],
  ['npm', words(['test', 'test t tst'])],
  ['pnpm', words(['test', 'test t'])],
  ['yarn', words(['test', 'test'])],
  ['playwright', words(['test', 'test'])],
  ['cypress', words(['test', 'run'])],
  ['ruff', words(['lint', 'check'])],
  ['biome', words(['lint', 'check lint ci'])],
  ['gradle', words(['test', 'test check'], ['build', 'build'])],
  ['gradlew', words(['test', 'test check'], ['build', 'build'])],
  ['mvn', words(['test', 'test verify'], ['build', 'package compile'])],
  ['mvnw', words(['test', 'test verify'], ['build', 'package compile'])],
  ['dotnet', words(['test', 'test'], ['build', 'build'])],
  ['swift', words(['test', 'test'], ['build', 'build'])],
  ['mix', words(['test', 'test'], ['build', 'compile'])],
  ['zig', words(['test', 'test'], ['build', 'build'])],
  ['bazel', words(['test', 'test'], ['build', 'build'])],
  ['composer', words(['test', 'test'])],
])

/** Programs that run what a project has given a name. */
const targetRunners = new Set(['make', 'gmake', 'just', 'task', 'rake', 'invoke'])
const packageManagers = new Set(['npm', 'pnpm', 'yarn', 'bun'])
/** They run what a project has given a name when told to. */
const scriptRunners = new Set(['hatch', 'pdm', 'rye', 'poetry', 'pipenv', 'uv', 'deno'])
/** Options before a subcommand that change nothing about it. */
const quiet =
  /^(?:-[qBsr]|-ntp|--(?:silent|quiet|recursive|no-daemon|batch-mode|offline|no-transfer-progress)|\+[\w.-]+)$/

export interface Runner {
  readonly kind: CheckKind
  /** What is left of the command behind it. */
  readonly rest: readonly string[]
}

/** The runner of checks that a command is, by its words, or undefined when it is another program. */
export function runnerOf([program = '', ...all]: readonly string[]): Runner | undefined {
  const rest = programs.has(program) ? all : all.slice(all.findIndex((each) => !quiet.test(each)))
  const [word = '', ...further] = rest.filter((each) => !/^--?\w[\w-]*=/.test(each))
  const kind = programs.get(program) ?? commands.get(program)?.get(word)
  if (kind !== undefined) return { kind, rest: programs.has(program) ? rest : behind(rest, word) }
  if (program === 'node' && rest.includes('--test'))
    return { kind: 'test', rest: rest.filter((each) => each !== '--test') }
  if (program === 'prettier' || program === 'black') {
    return rest.some((each) => each === '--check' || each === '-c') ? { kind: 'lint', rest: [] } : undefined
  }
  if (packageManagers.has(program)) {
    if (word === 'run' || word === 'run-script') return script(further)
    // Others than npm run what the project has named without being told to.
    return program === 'npm' ? undefined : script([word, ...further])
  }
  if (scriptRunners.has(program) && /^(?:run|task)$/.test(word)) return script(further)
  return targetRunners.has(program) ? script(rest.filter((each) => !each.startsWith('-'))) : undefined
}

/** What a script or target is for, by its name. */
export function kindOfScript(name: string): CheckKind | undefined {
  const parts = name.toLowerCase().split(/[^a-z0-9]+/)
  const says = (...wanted: readonly string[]): boolean => parts.some((part) => wanted.includes(part))
  if (says('test', 'tests', 'spec', 'specs', 'unit', 'e2e', 'integration', 'check', 'verify', 'ci')) return 'test'
  if (says('typecheck', 'types', 'tsc', 'mypy')) return 'typecheck'
  if (says('lint', 'eslint', 'format')) return 'lint'
  return says('build', 'compile', 'all') ? 'build' : undefined
}

function script([name = '', ...rest]: readonly string[]): Runner | undefined {
  const kind = kindOfScript(name)
  return kind && { kind, rest }
}

function behind(rest: readonly string[], word: string): readonly string[] {
  return rest.slice(rest.indexOf(word) + 1)
}

function named(kind: CheckKind, list: string): [string, CheckKind][] {
  return list.split(' ').map((program) => [program, kind])
}

function words(...byKind: readonly (readonly [CheckKind, string])[]): ReadonlyMap<string, CheckKind> {
  return new Map(byKind.flatMap(([kind, list]) => list.split(' ').map((word) => [word, kind] as const)))
}
