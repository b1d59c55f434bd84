import { bare } from '../files/line-endings.ts'
import type { Hunk, HunkLine } from './file-patch.ts'

/** How the lines of a hunk were found in the file, in order of strictness. */
export type FoundBy = 'exact' | 'line_endings' | 'trailing_white_space' | 'surrounding_white_space'

export type HunkPlace =
  | { readonly kind: 'placed'; readonly at: number; readonly foundBy: FoundBy }
  | { readonly kind: 'ambiguous'; readonly lines: readonly number[] }
  | { readonly kind: 'missing' }

interface Search {
  /** Lines of the file with their line endings. */
  readonly lines: readonly string[]
  /** Lines before this one belong to earlier hunks. */
  readonly from: number
  /** How many lines away from their stated position the previous hunks were found. */
  readonly drift: number
}

const ways: readonly (readonly [FoundBy, (line: string, wanted: HunkLine) => boolean])[] = [
  ['exact', (line, { text, unended }) => line === (unended ? text : `${text}\n`)],
  ['line_endings', (line, { text }) => bare(line) === bare(text)],
  ['trailing_white_space', (line, { text }) => line.trimEnd() === text.trimEnd()],
  ['surrounding_white_space', (line, { text }) => line.trim() === text.trim()],
]

/**
 * The position of a hunk: the stated one if its lines are there, otherwise the only place where they are. With several
 * places it refuses to guess.
 */
export function placeHunk(hunk: Hunk, { lines, from, drift }: Search): HunkPlace {
  const old = hunk.lines.filter(({ sign }) => sign !== '+')
  const expected = hunk.before === undefined ? undefined : hunk.before + drift
  if (old.length === 0) return placeInsertion(hunk, { lines, from, drift }, expected)
  for (const [foundBy, fits] of ways) {
    const stands = (at: number) => old.every((wanted, index) => fits(lines[at + index] ?? '\0', wanted))
    if (expected !== undefined && expected >= from && stands(expected)) return { kind: 'placed', at: expected, foundBy }
    const places = placesFrom(startOf(hunk, lines, from), lines.length - old.length, stands)
    const [at] = places
    if (at === undefined) continue
    // After an anchor line, the first match is the one that is meant.
    if (places.length === 1 || hunk.anchor !== undefined) return { kind: 'placed', at, foundBy }
    return { kind: 'ambiguous', lines: places.map((place) => place + 1) }
  }
  return { kind: 'missing' }
}

/** Places lines that are added without context: at the stated position, or at the end. */
function placeInsertion(hunk: Hunk, { lines, from }: Search, expected: number | undefined): HunkPlace {
  const anchored = startOf(hunk, lines, from)
  const at = expected ?? (hunk.anchor === undefined ? lines.length : anchored)
  return at >= from && at <= lines.length ? { kind: 'placed', at, foundBy: 'exact' } : { kind: 'missing' }
}

function startOf({ anchor }: Hunk, lines: readonly string[], from: number): number {
  if (anchor === undefined) return from
  const above = lines.findIndex((line, index) => index >= from && line.trim() === anchor.trim())
  return above === -1 ? from : above + 1
}

function placesFrom(from: number, last: number, stands: (at: number) => boolean): number[] {
  const places: number[] = []
  for (let at = from; at <= last; at += 1) if (stands(at)) places.push(at)
  return places
}
