import { bare } from '../files/line-endings.ts'
import type { Hunk, HunkLine } from './file-patch.ts'

/** How the lines of a hunk were found in the file, from the strictest way on. */
export type FoundBy = 'exact' | 'line_endings' | 'trailing_white_space' | 'surrounding_white_space'

export type HunkPlace =
  | { readonly kind: 'placed'; readonly at: number; readonly foundBy: FoundBy }
  | { readonly kind: 'ambiguous'; readonly lines: readonly number[] }
  | { readonly kind: 'missing' }

interface Search {
  /** Lines of the file, each with what ends it. */
  readonly lines: readonly string[]
  /** Lines before this one are taken by the hunks before. */
  readonly from: number
  /** By how many lines the hunks before were found away from where they said. */
  readonly drift: number
}

const ways: readonly (readonly [FoundBy, (line: string, wanted: HunkLine) => boolean])[] = [
  ['exact', (line, { text, unended }) => line === (unended ? text : `${text}\n`)],
  ['line_endings', (line, { text }) => bare(line) === bare(text)],
  ['trailing_white_space', (line, { text }) => line.trimEnd() === text.trimEnd()],
  ['surrounding_white_space', (line, { text }) => line.trim() === text.trim()],
]

/**
 * Where a hunk belongs: where it says, when its lines stand there; else the one place where they do. Between two places
 * it is not guessed.
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
    // Behind a line that was named to find it, the first place is the one that was meant.
    if (places.length === 1 || hunk.anchor !== undefined) return { kind: 'placed', at, foundBy }
    return { kind: 'ambiguous', lines: places.map((place) => place + 1) }
  }
  return { kind: 'missing' }
}

/** Lines that are added without any around them go where the hunk says, or to the end. */
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
