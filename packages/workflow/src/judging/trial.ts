import type { PackageChange } from '@loader/session-core/coding'
import type { Tried } from './experiment.ts'

export type { PackageChange } from '@loader/session-core/coding'

/** Everything that the judgement of one check depends on. */
export interface Trial {
  readonly check: {
    /** `user`: given by the user, in settings or for the task. `derived`: found by the runtime. */
    readonly source: 'user' | 'derived'
    /** `presence`: it shows no more than that files are there, or parse. */
    readonly shows: 'behaviour' | 'presence'
    /** Whether the check and its tests are in B at all. */
    readonly isInBefore: boolean
    /** One run takes longer than the limit: only `now` and `strict` are run. */
    readonly isSlow: boolean
  }
  /** What differs between B and N, and beside them. Paths, sorted. */
  readonly changed: {
    readonly product: readonly string[]
    readonly aside: readonly string[]
    /** Those among the product files that hold tests as well. */
    readonly mixed: readonly string[]
    /** Ignored files, and folders of installed packages, that are not as they were with B. */
    readonly ignored: readonly string[]
    /** Product files to which the turn added a suppression. */
    readonly suppressed: readonly string[]
  }
  /** Paths aside on which an earlier judgement rested and which the user has not accepted. */
  readonly unaccepted: readonly string[]
  readonly packages: readonly PackageChange[]
  /** What the user has accepted already, apart from files: those are in B. */
  readonly accepted: { readonly packages: readonly string[]; readonly tests: readonly string[] }
  readonly tried: readonly Tried[]
}
