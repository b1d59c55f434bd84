/** A part of a text, from a position up to another. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A part of a text to replace, with its replacement. */
interface Replacement extends Span {
  readonly text: string
}

/** The matches of one way of searching, and the replacement text for each. */
export interface Matches {
  readonly spans: readonly Span[]
  readonly fill: (span: Span) => Replacement
}
