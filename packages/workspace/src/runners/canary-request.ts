import type { ProjectTexts, RunnerReport } from './runner.ts'

/** What a canary is made for: the run whose honesty is in question, and a mark that only a real failure can report. */
export interface CanaryRequest {
  /** What the runner has told of the run that is in question. */
  readonly report: RunnerReport
  readonly project: ProjectTexts
  /** The project as the command sees it. */
  readonly root: string
  /** Changed files that tests load: the canary loads them first, so that what they do to a runner is done. */
  readonly modules: readonly string[]
  /**
   * A test of that run whose place the canary takes, best one that loads the modules: a module that does something to one
   * test alone knows it by its place. Absent: the canary lies beside the tests.
   */
  readonly instead?: string | undefined
  /** Letters and digits that stand nowhere in the project and that it could not know. */
  readonly mark: string
}

/** What a canary consists of, before it is known where it runs. */
export interface CanaryText {
  readonly path: string
  readonly text: string
  readonly mark: string
  readonly ways: readonly string[]
}

export function slashed(folder: string): string {
  return folder === '' ? '' : `${folder}/`
}
