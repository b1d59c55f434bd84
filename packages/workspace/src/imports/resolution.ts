/** Where one import leads. */
export interface Resolution {
  /** Files of the project that it loads. */
  readonly files: readonly string[]
  /** The package that it loads, if that is not of the project. */
  readonly package?: string
  /** The reason for doubt, if the resolution is not certain. */
  readonly doubt?: Doubt
}

/**
 * - `missing`: the project has no match.
 * - `ambiguous`: the project has several matches, or one that an installed package may override.
 * - `not_built`: the target is build output that does not exist; its likely source is used instead, if there is one.
 */
export type Doubt = 'missing' | 'ambiguous' | 'not_built'
