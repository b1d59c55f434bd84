/** One line of a hunk. */
export interface HunkLine {
  readonly sign: ' ' | '-' | '+'
  /** Without the newline; a carriage return before it belongs to the text. */
  readonly text: string
  /** Said to end without a newline, as only the last line of a file can. */
  readonly unended?: true
}

export interface Hunk {
  readonly lines: readonly HunkLine[]
  /** Lines of the old file before the hunk, when it says where it belongs. */
  readonly before?: number
  /** A line above the hunk that tells where it belongs. */
  readonly anchor?: string
}

/** What is to become of one file. */
export type FilePatch =
  | { readonly kind: 'create'; readonly path: string; readonly hunks: readonly Hunk[]; readonly mode?: number }
  | { readonly kind: 'delete'; readonly path: string; readonly hunks: readonly Hunk[] }
  | { readonly kind: 'update'; readonly path: string; readonly hunks: readonly Hunk[]; readonly movesTo?: string }

export type ParsedPatch =
  | { readonly kind: 'parsed'; readonly files: readonly FilePatch[] }
  /** Hunks that do not say which file they are for. */
  | { readonly kind: 'hunks'; readonly hunks: readonly Hunk[] }
  | { readonly kind: 'malformed'; readonly why: string }

export function malformed(why: string): ParsedPatch {
  return { kind: 'malformed', why }
}
