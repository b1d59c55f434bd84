import type { NotShown, Room } from './experiment.ts'
import type { PackageChange } from './trial.ts'

/** Why a check could not run. `no_walls`: it was not even tried, because nothing would hold it and the user has not named it. */
export type NotRun = NotShown | 'no_walls'

/** Why nothing is known. */
export type Unverified =
  /** `alsoBefore`: a check that the runtime derived could not run before the work either. */
  | { readonly kind: 'could_not_run'; readonly why: NotRun; readonly alsoBefore: boolean }
  /** Neither names nor numbers tell whether it is the same failure. */
  | { readonly kind: 'red_before_and_now' }
  /** Tests that failed before the work still fail, and nothing speaks for the change. */
  | { readonly kind: 'still_red'; readonly tests: readonly string[] }
  /** A test that must fail did not. */
  | { readonly kind: 'canary_passed' }
  | { readonly kind: 'packages_changed'; readonly packages: readonly PackageChange[] }
  /** Tests that passed before are missing, or are skipped. */
  | { readonly kind: 'tests_gone'; readonly tests: readonly string[] }
  /** Something aside changed, and the check was not shown with what lies aside as it was. */
  | { readonly kind: 'strict_not_shown'; readonly why: NotShown }
  /** Two runs of the same gave different results, and the check has no tests to tell apart. */
  | { readonly kind: 'flaky' }
  /** It was recorded by a version that did not keep what a judgement needs. */
  | { readonly kind: 'old_evidence' }

/** What keeps a check from speaking for the change. */
export type Held =
  | { readonly kind: 'no_check_speaks' }
  /** It would be verified, were it not for rooms that were left out, or were not tried twice. */
  | { readonly kind: 'rooms_left_out' }
  /** The run itself begins to change files of the project, and may have changed what it is judged by. */
  | { readonly kind: 'files_rewritten' }
  /** What speaks for the change lies in changed files that hold product and tests. */
  | { readonly kind: 'tests_in_product' }

/** What else people should know; it changes no judgement. */
export interface Notes {
  /** Tests that two runs of the same room disagreed about. */
  readonly flaky: readonly string[]
  /** Tests that failed before the work as well. */
  readonly oldFailures: readonly string[]
  readonly leftOut: readonly { readonly room: Room; readonly why: NotShown; readonly again: boolean }[]
  /** Paths on which an earlier judgement rests and which are still not accepted. */
  readonly unaccepted: readonly string[]
  /** What permitted installing calls did. */
  readonly installed: readonly PackageChange[]
}

/** Where one check stands. */
export type CheckJudgement = CheckFinding & { readonly notes: Notes }

/** What a check shows about the work. Each word of it carries what is needed to explain it. */
export type CheckFinding =
  /**
   * `fixed`: red before, green now, by checks as they were.
   * `covered`: new checks fail without the change.
   */
  | { readonly word: 'verified'; readonly grade: 'fixed' | 'covered'; readonly tests: readonly string[] }
  | { readonly word: 'held'; readonly why: Held }
  /** The files are there; no check looks at what is in them. */
  | { readonly word: 'present' }
  | {
      readonly word: 'rests_on'
      /** `aside`: what checks are made of. `ignored`: what no tree has. `suppressed`: product files that silence a check. */
      readonly what: 'aside' | 'ignored' | 'suppressed'
      readonly files: readonly string[]
      readonly tests: readonly string[]
    }
  | { readonly word: 'unverified'; readonly why: Unverified }
  | { readonly word: 'failed'; readonly tests: readonly string[] }
  /** The user has seen it and accepts it. `rests_on` or `unverified` before. */
  | { readonly word: 'accepted'; readonly by: string; readonly at: string; readonly what: Accepted }
  /** The judgement was about another tree or environment. */
  | { readonly word: 'stale'; readonly about: { readonly tree: string; readonly environment: string } }

/** What the user has accepted of a turn: files, packages, and tests that fail. */
export interface Accepted {
  readonly files: readonly string[]
  readonly packages: readonly string[]
  readonly tests: readonly string[]
}

/** Where a turn stands: as one of its checks, or without any. */
export type TurnFinding =
  | CheckFinding
  /** Something changed, and no check is known. */
  | { readonly word: 'unchecked' }
  /** What these calls did is not known. */
  | { readonly word: 'unknown'; readonly calls: readonly string[] }

/** The words in which a turn is judged, such as `verified` or `held`. */
export type JudgementWord = TurnFinding['word']

/** Worst first. Those that object end with `rests_on`. */
export const worstFirst = [
  'failed',
  'unknown',
  'stale',
  'unverified',
  'rests_on',
  'unchecked',
  'held',
  'present',
  'accepted',
  'verified',
] as const satisfies readonly JudgementWord[]

/** Whether something contradicts the answer or needs a person. */
export function objects(word: JudgementWord): boolean {
  return worstFirst.indexOf(word) <= worstFirst.indexOf('rests_on')
}
