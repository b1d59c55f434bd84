/**
 * How a test ended. `red`: an assertion did not hold. `errored`: it died of another error while it ran. `unloaded`: it, or
 * the file that it lies in, could not be loaded or set up. A runner that cannot tell the first two apart says `errored`.
 */
export type TestOutcome = 'green' | 'red' | 'errored' | 'unloaded' | 'skipped'

export interface TestResult {
  readonly name: string
  /** Relative to the project. Without it, a test of a file that could not be loaded counts as missing. */
  readonly file?: string
  readonly outcome: TestOutcome
}

/** What one run of a check showed. A file that could not be loaded at all is one result, with the file as its name. */
export interface Shown {
  readonly exit: 'green' | 'red'
  /** From a report that names tests. An empty list says that no test was run; absent, nothing is known. */
  readonly tests?: readonly TestResult[]
  /** From a report that only counts; not looked at where there are `tests`. */
  readonly counts?: { readonly green: number; readonly red: number; readonly skipped: number }
}

/** Stands in lists of tests for the check as a whole, as its exit code has it. */
export const wholeCheck = ''

/** The tests of a run, each under a key that is its own, also where two have one name. */
export interface TestsShown {
  /** Whether tests were named or at least counted. */
  readonly by: 'name' | 'number' | 'exit'
  readonly results: ReadonlyMap<string, TestResult>
  readonly unloadedFiles: ReadonlySet<string>
}

const none: ReadonlySet<string> = new Set()

export function testsShown(shown: Shown): TestsShown {
  if (shown.tests !== undefined) return byName(shown, shown.tests)
  const whole = { name: wholeCheck, outcome: shown.exit }
  if (shown.counts === undefined) return { by: 'exit', results: new Map([[wholeCheck, whole]]), unloadedFiles: none }
  return byNumber(shown, shown.counts)
}

function byName(shown: Shown, tests: readonly TestResult[]): TestsShown {
  const results = new Map<string, TestResult>()
  for (const test of tests) {
    const name = test.file === undefined || test.name.startsWith(test.file) ? test.name : `${test.file} › ${test.name}`
    let key = name
    for (let copy = 2; results.has(key); copy += 1) key = `${name} (${copy})`
    results.set(key, test)
  }
  results.set(
    wholeCheck,
    wholeOf(
      shown,
      tests.map(({ outcome }) => outcome),
    ),
  )
  const unloaded = tests.filter(({ outcome, name, file }) => outcome === 'unloaded' && file === name)
  return { by: 'name', results, unloadedFiles: new Set(unloaded.map(({ name }) => name)) }
}

/**
 * Numbers are compared as if the tests stood in one order, the red ones first: one more red test is a new failure, one
 * less is a failure that is gone, and fewer tests mean that the last ones are missing. How they failed is not known.
 */
function byNumber(shown: Shown, { green, red, skipped }: NonNullable<Shown['counts']>): TestsShown {
  const outcomes: readonly TestOutcome[] = [
    ...Array.from({ length: red }, () => 'errored' as const),
    ...Array.from({ length: green }, () => 'green' as const),
    ...Array.from({ length: skipped }, () => 'skipped' as const),
  ]
  const numbered = outcomes.map((outcome, index): [string, TestResult] => {
    const name = `#${index + 1}`
    return [name, { name, outcome }]
  })
  const results = new Map([...numbered, [wholeCheck, wholeOf(shown, outcomes)] as const])
  return { by: 'number', results, unloadedFiles: none }
}

/** The exit code counts for itself only where no test explains it. */
function wholeOf({ exit }: Shown, outcomes: readonly TestOutcome[]): TestResult {
  const isExplained = outcomes.some(isFailure)
  return { name: wholeCheck, outcome: exit === 'red' && !isExplained ? 'errored' : 'green' }
}

export function isFailure(outcome: TestOutcome | 'missing'): boolean {
  return outcome === 'red' || outcome === 'errored' || outcome === 'unloaded'
}
