/** A part of a text, from a position up to another. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A part of a text that is to be replaced, and by what. */
interface Replacement extends Span {
  readonly text: string
}

/** Where a way of looking found what was wanted, and what is to take its place there. */
export interface Matches {
  readonly spans: readonly Span[]
  readonly fill: (span: Span) => Replacement
}
