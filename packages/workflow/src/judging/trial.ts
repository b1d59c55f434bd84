import type { PackageChange } from '@loader/session-core/coding'
import type { Tried } from './experiment.ts'

export type { PackageChange } from '@loader/session-core/coding'

/** Everything that the judgement of a check depends on. */
export interface Trial {
  readonly check: {
    /** `user`: given by the user, in settings or for the task. `derived`: found by the runtime. */
    readonly source: 'user' | 'derived'
    /** `presence`: it shows only that files exist or parse. */
    readonly shows: 'behaviour' | 'presence'
    /** Whether the check and its tests exist in the before tree (B). */
    readonly isInBefore: boolean
    /** One run takes longer than the limit: only `now` and `strict` are run. */
    readonly isSlow: boolean
  }
  /** What differs between the before tree (B) and now (N), and outside of them. Paths are sorted. */
  readonly changed: {
    readonly product: readonly string[]
    readonly aside: readonly string[]
    /** The product files among them that are new, and that the check itself runs. */
    readonly running?: readonly string[] | undefined
    /** The product files among them that also hold tests. */
    readonly mixed: readonly string[]
    /** Ignored files and package folders that differ from when the before tree was made. */
    readonly ignored: readonly string[]
    /** Product files to which the turn added a suppression. */
    readonly suppressed: readonly string[]
  }
  /** Paths aside that an earlier judgement rests on and that the user has not accepted. */
  readonly unaccepted: readonly string[]
  readonly packages: readonly PackageChange[]
  /** What else the user has accepted. Accepted files are already part of the before tree. */
  readonly accepted: { readonly packages: readonly string[]; readonly tests: readonly string[] }
  readonly tried: readonly Tried[]
}
