import type { Check, Evidence, ProjectFacts } from '../goal.ts'
import type { Signal } from './environment.ts'

/** What a check run showed, before the runtime binds it to a goal. */
export type CheckRun = Pick<
  Evidence,
  'outcome' | 'exitCode' | 'signal' | 'output' | 'outputDigest' | 'startedAt' | 'finishedAt'
>

/** The folder that the work is about. */
export interface Workspace {
  readonly root: string
  /** What kind of project it is, and its commands. */
  facts(): Promise<ProjectFacts>
  /** Stands for path, mode and content of every file that counts; never for `.loader/`. */
  fingerprint(options?: { readonly signal?: Signal }): Promise<string>
  /** Instruction files from the root down to the folder at hand, outermost first. */
  instructions(): Promise<readonly { readonly path: string; readonly text: string }[]>
  runCheck(check: Check, options?: { readonly signal?: Signal }): Promise<CheckRun>
}
