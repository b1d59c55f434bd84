import type { Shown, TestOutcome, TestResult } from '@loader/session-core/coding'

export type { Shown, TestOutcome, TestResult } from '@loader/session-core/coding'

/** Stands for the check as a whole, with the result of its exit code, in lists of tests. */
export const wholeCheck = ''

/** The tests of a run by unique key, even if two tests have the same name. */
export interface TestsShown {
  /** How tests are told apart: by name, by number if they were only counted, or by the exit code alone. */
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
 * Counts are compared as if the tests had one order, failing ones first: one more failure is a new failure, one less is
 * a fixed one, and fewer tests mean that the last ones are missing. Why they failed is not known.
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

/** The exit code counts only if no test explains it. */
function wholeOf({ exit }: Shown, outcomes: readonly TestOutcome[]): TestResult {
  const isExplained = outcomes.some(isFailure)
  return { name: wholeCheck, outcome: exit === 'red' && !isExplained ? 'errored' : 'green' }
}

export function isFailure(outcome: TestOutcome | 'missing'): boolean {
  return outcome === 'red' || outcome === 'errored' || outcome === 'unloaded'
}
