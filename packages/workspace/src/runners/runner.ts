/** The names used here for programs that run tests, check types or lint. */
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

/** A runner that reports results by test name. */
export type RunnerName = (typeof runnerNames)[number]

/**
 * `assertion`: the test ran and failed. `load`: it could not run, because something before it failed: an import, the
 * compiler, a fixture or hook. `skipped`: left out on purpose, also because another test is focused, or expected to fail.
 */
export type ReportedOutcome = 'green' | 'assertion' | 'load' | 'skipped'

/** One test of a report. */
export interface ReportedTest {
  /** The same in every run: file, groups and title, with a number for further tests of the same name. */
  readonly name: string
  /** Relative to the root of the project. */
  readonly file?: string
  readonly outcome: ReportedOutcome
}

/** A reason not to trust a report completely. */
export type ReportDoubt =
  /** The runner ended before it reported its end: it crashed, or a test ended the process. */
  | 'cut_short'
  /** It reports a failure and exits with 0, or reports none and exits with another code. */
  | 'exit_code'
  /** Its own totals differ from its results. */
  | 'counts'
  /** The report contains a line that the runner does not write. */
  | 'foreign_lines'

/** One run of one runner, as reported by the runner itself, separate from the output of the tests. */
export interface RunnerReport {
  readonly runner: RunnerName
  /** The folder it ran in, relative to the root of the project; absolute if outside of it. */
  readonly folder: string
  /** As the check passed them. */
  readonly arguments: readonly string[]
  readonly results: readonly ReportedTest[]
  /** The files it took for tests, including those without tests. */
  readonly testFiles: readonly string[]
  /**
   * Settings files that it reported as loaded, and those that they name; files that were merely present are not listed.
   */
  readonly settings: readonly string[]
  /** The patterns by which it selects tests, in its own syntax. */
  readonly patterns: readonly string[]
  /** `undefined` when it was killed. */
  readonly exitCode: number | undefined
  readonly doubts: readonly ReportDoubt[]
}

/** Files of a project, wherever they are stored. */
export interface ProjectTexts {
  readonly paths: readonly string[]
  /** `undefined` when the file does not exist or is not text. */
  readonly text: (path: string) => Promise<string | undefined>
}
