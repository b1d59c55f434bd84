/** What the programs that run tests, and look at types and style, are called here. */
export const runnerNames = [
  'node:test',
  'vitest',
  'jest',
  'mocha',
  'pytest',
  'unittest',
  'cargo test',
  'go test',
  'tsc',
  'eslint',
] as const

/** A runner that reports by name of test. */
export type RunnerName = (typeof runnerNames)[number]

/**
 * `assertion`: the test ran and failed. `load`: it could not run, because something before it failed: an import, the
 * compiler, a fixture or hook. `skipped`: left out on purpose, also because another test is focused, or expected to fail.
 */
export type ReportedOutcome = 'green' | 'assertion' | 'load' | 'skipped'

/** One test of a report. */
export interface ReportedTest {
  /** The same in every run: file, groups and title; a second test of the same name is told apart by its number. */
  readonly name: string
  /** From the root of the project. */
  readonly file?: string
  readonly outcome: ReportedOutcome
}

/** What makes a report less than the whole truth. */
export type ReportDoubt =
  /** The runner ended before it had said that it was done: it crashed, or something in it ended the process. */
  | 'cut_short'
  /** It reports a failure and exits 0, or reports none and exits otherwise. */
  | 'exit_code'
  /** Its own figures are not those of its results. */
  | 'counts'
  /** A line of the report is not one that the runner writes. */
  | 'foreign_lines'

/** One run of one runner, as it told it itself, apart from what it and the tests print. */
export interface RunnerReport {
  readonly runner: RunnerName
  /** Where it ran, from the root of the project; absolute if that is elsewhere. */
  readonly folder: string
  /** As the check gave them. */
  readonly arguments: readonly string[]
  readonly results: readonly ReportedTest[]
  /** Files that it took for tests, also those in which it found none. */
  readonly testFiles: readonly string[]
  /** Settings files that it says it has loaded, and what these name; settings that only lie there are not among them. */
  readonly settings: readonly string[]
  /** How it chooses its tests, in its own words. */
  readonly patterns: readonly string[]
  /** `undefined` when it was killed. */
  readonly exitCode: number | undefined
  readonly doubts: readonly ReportDoubt[]
}

/** Files of a project, wherever they are. */
export interface ProjectTexts {
  readonly paths: readonly string[]
  /** `undefined` when it is not there, or no text. */
  readonly text: (path: string) => Promise<string | undefined>
}
