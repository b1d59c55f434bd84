/** Where one import leads. */
export interface Resolution {
  /** Files of the project that it loads. */
  readonly files: readonly string[]
  /** The package that it loads, if that is not of the project. */
  readonly package?: string
  /** What is not known of it. */
  readonly doubt?: Doubt
}

/**
 * - `missing`: nothing in the project answers to it.
 * - `ambiguous`: several things in the project answer to it, or one here and one that may be installed.
 * - `not_built`: it leads to built output that is not there; the source that seems to belong to it was taken, if there is one.
 */
export type Doubt = 'missing' | 'ambiguous' | 'not_built'
