import { wordSet } from './word-set.ts'

/** They ask a program about itself. */
const asking = wordSet('--version --help -h -V')

/** They have a runner say what it would do. */
const pretending = wordSet(
  '--collect-only --co --listTests --list-tests --list --no-run --dry-run --setup-plan --setup-only --fixtures --markers',
  '--show-only --showConfig --listFilesOnly --init --dry --print-config --listenvs --list-sessions -list',
)
const pretendingOf: Readonly<Record<string, ReadonlySet<string>>> = {
  ctest: wordSet('-N'),
  go: wordSet('-c'),
  gradle: wordSet('-m'),
  gradlew: wordSet('-m'),
  make: wordSet('-n -t -q --just-print --recon --touch --question'),
  gmake: wordSet('-n -t -q --just-print --recon --touch --question'),
  nox: wordSet('-l'),
  tox: wordSet('-l'),
}

/** They make a runner end well whatever it finds. */
const forgiving =
  /^(?:--exit-zero|--issues-exit-code=0|--testFailureExitCode=0|--fail-never|-DskipTests(?!=false).*|-Dmaven\.test\.(?:skip|failure\.ignore)(?!=false).*)$/
const forgivingOf: Readonly<Record<string, ReadonlySet<string>>> = {
  make: wordSet('-i --ignore-errors'),
  gmake: wordSet('-i --ignore-errors'),
  mvn: wordSet('-fn'),
  mvnw: wordSet('-fn'),
  mypy: wordSet('--ignore-errors'),
  tsc: wordSet('--noCheck'),
}

/** They make a runner leave something out, or look elsewhere. */
const narrowing = wordSet(
  '-k -t -m -g -f --grep --fgrep --filter -run -skip --skip --only --testNamePattern',
  '--test-name-pattern --test-skip-pattern --testPathPattern --testPathPatterns --deselect --ignore',
  '--exclude --changed --related --onlyChanged --lf --last-failed --config -c --root --rootdir',
  '--rootDir --dir --cwd -C --prefix --project -p --package -w --workspace --manifest-path --lib --bin',
  '--doc --examples --benches --bins --ignored --testPathIgnorePatterns --findRelatedTests --selectProjects',
  '--test-only --shard --noconftest -x --exclude-task --tests --match',
)
const notNarrowing: Readonly<Record<string, ReadonlySet<string>>> = {
  cargo: wordSet('--workspace'),
  pytest: wordSet('-x'),
  go: wordSet('-x'),
}

/** They choose another program, settings or code for a runner than those of the project. */
const steering = wordSet(
  '--script-shell --userconfig --globalconfig --node-options --import --require --loader --experimental-loader -r --runner',
  '--testRunner --testEnvironment --setupFiles --setupFilesAfterEnv --globalSetup --preset --transform --moduleNameMapper',
  '--override-ini -o --no-eslintrc --no-config-lookup --rule --config-file --isolated --disable --eval --file --makefile',
  '--justfile --directory -exec -toolexec -vettool',
)
const notSteering: Readonly<Record<string, ReadonlySet<string>>> = {
  pnpm: wordSet('-r'),
  yarn: wordSet('-r'),
  mvn: wordSet('-o'),
  go: wordSet('-o'),
}
const steeringOf: Readonly<Record<string, ReadonlySet<string>>> = {
  eslint: wordSet('-c --config'),
  make: wordSet('-f -C'),
  gmake: wordSet('-f -C'),
}

/** What the options of a runner make of it, the worst first. */
export type Told = 'asked' | 'forgiving' | 'pretending' | 'steered' | 'plain'

/** What a runner is told by its options. */
export function toldBy([program = '', ...rest]: readonly string[]): Told {
  const has = (words: ReadonlySet<string> | undefined): boolean =>
    rest.some((word) => words?.has(nameOf(word)) === true)
  if (has(asking)) return 'asked'
  if (has(forgivingOf[program]) || rest.some((word) => forgiving.test(word))) return 'forgiving'
  if (has(pretending) || has(pretendingOf[program])) return 'pretending'
  const steers = rest.some((word) => steering.has(nameOf(word)) && notSteering[program]?.has(word) !== true)
  return steers || has(steeringOf[program]) || setsVariables(program, rest) ? 'steered' : 'plain'
}

/** Whether an option has a runner of tests do only a part of what it could. */
export function narrows(program: string, word: string): boolean {
  if (program === 'go' && /^--run\b/.test(word)) return true
  return narrowing.has(nameOf(word)) && notNarrowing[program]?.has(word) !== true
}

/** `make -Cfolder -fother SHELL=/bin/true` */
function setsVariables(program: string, rest: readonly string[]): boolean {
  return /^g?make$/.test(program) && rest.some((word) => /^-[Cf].|^\w+[:+?]?=/.test(word))
}

function nameOf(word: string): string {
  return word.split('=', 1)[0] ?? ''
}
