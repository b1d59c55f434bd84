import type { ProjectTexts, RunnerReport } from './runner.ts'

/** What a canary is made for: the run to be tested for honesty, and a mark that only a real failure can report. */
export interface CanaryRequest {
  /** The report of that run. */
  readonly report: RunnerReport
  readonly project: ProjectTexts
  /** The root of the project as the command sees it. */
  readonly root: string
  /** Changed files that tests load. Loaded first, so that whatever they do to the runner happens before it fails. */
  readonly modules: readonly string[]
  /**
   * A test of that run which the canary replaces, preferably one that loads the modules: a module that tampers with one
   * test recognises it by its path. Absent: the canary is placed beside the tests.
   */
  readonly instead?: string | undefined
  /** The tests of the replaced file stay, and run before the canary. */
  readonly isAmong?: boolean
  /** Random letters and digits that occur nowhere in the project. */
  readonly mark: string
}

/** The content of a canary, before its place is known. */
export interface CanaryText {
  readonly path: string
  readonly text: string
  readonly mark: string
  readonly ways: readonly string[]
}

export function slashed(folder: string): string {
  return folder === '' ? '' : `${folder}/`
}
