import type { NotShown, Room } from './experiment.ts'
import type { PackageChange } from './trial.ts'

/**
 * Why a check could not run. `no_walls`: it was not tried, because there are no walls and the user has not named it.
 */
export type NotRun = NotShown | 'no_walls'

/** Why a check gives no evidence. */
export type Unverified =
  /** `alsoBefore`: a check that the runtime derived could not run before the work either. */
  | { readonly kind: 'could_not_run'; readonly why: NotRun; readonly alsoBefore: boolean }
  /** Neither test names nor counts tell whether it is the same failure. */
  | { readonly kind: 'red_before_and_now' }
  /** Tests that failed before the work still fail, and there is no evidence for the change. */
  | { readonly kind: 'still_red'; readonly tests: readonly string[] }
  /** A test that must fail did not. */
  | { readonly kind: 'canary_passed' }
  | { readonly kind: 'packages_changed'; readonly packages: readonly PackageChange[] }
  /** Tests that passed before are missing, or are skipped. */
  | { readonly kind: 'tests_gone'; readonly tests: readonly string[] }
  /** Files aside changed, and the check could not be run with those files as they were before. */
  | { readonly kind: 'strict_not_shown'; readonly why: NotShown }
  /** Two runs of the same tree gave different results, and the check has no named tests to compare. */
  | { readonly kind: 'flaky' }
  /** It was recorded by a version that did not store what a judgement needs. */
  | { readonly kind: 'old_evidence' }

/** Why a check that passes is no evidence for the change. */
export type Held =
  | { readonly kind: 'no_check_speaks' }
  /** It would be verified, but rooms were left out or not tried twice. */
  | { readonly kind: 'rooms_left_out' }
  /**
   * The run changes files of the project that it did not change before, so it may have changed what it is judged by.
   */
  | { readonly kind: 'files_rewritten' }
  /** The evidence for the change lies in changed files that hold both product code and tests. */
  | { readonly kind: 'tests_in_product' }

/** What else people should know; notes never change a judgement. */
export interface Notes {
  /** Tests with different results in two runs of the same room. */
  readonly flaky: readonly string[]
  /** Tests that failed before the work as well. */
  readonly oldFailures: readonly string[]
  readonly leftOut: readonly { readonly room: Room; readonly why: NotShown; readonly again: boolean }[]
  /** Paths that an earlier judgement rests on and that are still not accepted. */
  readonly unaccepted: readonly string[]
  /** What calls with the permission to install packages changed. */
  readonly installed: readonly PackageChange[]
}

/** The judgement of one check, with notes. */
export type CheckJudgement = CheckFinding & { readonly notes: Notes }

/** What a check shows about the work. Each word carries the data needed to explain it. */
export type CheckFinding =
  /**
   * `fixed`: failed before, passes now, with unchanged checks. `covered`: new checks fail without the change.
   */
  | { readonly word: 'verified'; readonly grade: 'fixed' | 'covered'; readonly tests: readonly string[] }
  | { readonly word: 'held'; readonly why: Held }
  /** The files are there; no check tests their content. */
  | { readonly word: 'present' }
  | {
      readonly word: 'rests_on'
      /**
       * `aside`: files that checks consist of. `ignored`: files outside the tree. `suppressed`: product files that
       * silence a check. `undone`: product files that the check itself makes what they were before the work, such as a
       * build whose sources were not changed.
       */
      readonly what: 'aside' | 'ignored' | 'suppressed' | 'undone'
      readonly files: readonly string[]
      readonly tests: readonly string[]
    }
  | { readonly word: 'unverified'; readonly why: Unverified }
  | { readonly word: 'failed'; readonly tests: readonly string[] }
  /** The user has seen it and accepts it. `rests_on` or `unverified` before. */
  | { readonly word: 'accepted'; readonly by: string; readonly at: string; readonly what: Accepted }
  /** The judgement is about another tree or environment. */
  | { readonly word: 'stale'; readonly about: { readonly tree: string; readonly environment: string } }

/** What the user has accepted of a turn: files, packages, and tests that fail. */
export interface Accepted {
  readonly files: readonly string[]
  readonly packages: readonly string[]
  readonly tests: readonly string[]
}

/** What is found about a turn: the finding of one of its checks, or one that needs no check. */
export type TurnFinding =
  | CheckFinding
  /** Files changed, and no check is known. */
  | { readonly word: 'unchecked' }
  /** The effects of these calls are unknown. */
  | { readonly word: 'unknown'; readonly calls: readonly string[] }

/** The words in which a turn is judged, such as `verified` or `held`. */
export type JudgementWord = TurnFinding['word']

/** Worst first. The words up to `rests_on` object. */
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
