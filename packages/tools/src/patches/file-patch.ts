/** One line of a hunk. */
export interface HunkLine {
  readonly sign: ' ' | '-' | '+'
  /** Without the newline; a carriage return before it is part of the text. */
  readonly text: string
  /** Marked as having no newline, which only the last line of a file can be. */
  readonly unended?: true
}

export interface Hunk {
  readonly lines: readonly HunkLine[]
  /** The number of lines before the hunk in the old file, if the hunk has line numbers. */
  readonly before?: number
  /** A line above the hunk that shows its position. */
  readonly anchor?: string
}

/** The change to one file. */
export type FilePatch =
  | { readonly kind: 'create'; readonly path: string; readonly hunks: readonly Hunk[]; readonly mode?: number }
  | { readonly kind: 'delete'; readonly path: string; readonly hunks: readonly Hunk[] }
  | { readonly kind: 'update'; readonly path: string; readonly hunks: readonly Hunk[]; readonly movesTo?: string }

export type ParsedPatch =
  | { readonly kind: 'parsed'; readonly files: readonly FilePatch[] }
  /** Hunks without a file name. */
  | { readonly kind: 'hunks'; readonly hunks: readonly Hunk[] }
  | { readonly kind: 'malformed'; readonly why: string }

export function malformed(why: string): ParsedPatch {
  return { kind: 'malformed', why }
}
