import { lineNumberAt } from '../files/line-endings.ts'
import { exactMatches, matchesAsideFromLineEndings } from './exact.ts'
import type { Matches, Span } from './matches.ts'
import { tolerantMatches } from './tolerant.ts'

/** How the wanted text was found, in order of strictness. */
export type MatchedBy = 'exact' | 'line_endings' | 'trailing_white_space' | 'surrounding_white_space'

export type Replaced =
  | {
      readonly kind: 'replaced'
      readonly text: string
      readonly matchedBy: MatchedBy
      readonly count: number
      /** The line of the first match. */
      readonly line: number
    }
  | {
      readonly kind: 'ambiguous'
      readonly matchedBy: MatchedBy
      readonly count: number
      /** The lines of the first matches. */
      readonly lines: readonly number[]
    }
  | { readonly kind: 'missing' }

export interface WantedReplacement {
  readonly wanted: string
  readonly replacement: string
  /** `one`: there must be exactly one match. */
  readonly places: 'one' | 'all'
}

const mostLinesNamed = 10

/**
 * Replaces a text. The strictest way of searching that finds a match is used; with several matches it refuses to guess.
 */
export function replaceText(text: string, { wanted, replacement, places }: WantedReplacement): Replaced {
  const ways: readonly (readonly [MatchedBy, () => Matches])[] = [
    ['exact', () => exactMatches(text, wanted, replacement)],
    ['line_endings', () => matchesAsideFromLineEndings(text, wanted, replacement)],
    ['trailing_white_space', () => tolerantMatches(text, wanted, replacement, 'trailing')],
    ['surrounding_white_space', () => tolerantMatches(text, wanted, replacement, 'surrounding')],
  ]
  for (const [matchedBy, look] of ways) {
    const { spans, fill } = look()
    const [first] = spans
    if (first === undefined) continue
    if (places === 'one' && spans.length > 1) {
      const lines = spans.slice(0, mostLinesNamed).map(({ start }) => lineNumberAt(text, start))
      return { kind: 'ambiguous', matchedBy, count: spans.length, lines }
    }
    const chosen = apart(spans)
    const line = lineNumberAt(text, first.start)
    return { kind: 'replaced', text: filled(text, chosen.map(fill)), matchedBy, count: chosen.length, line }
  }
  return { kind: 'missing' }
}

/** Without overlapping spans, from left to right. */
function apart(spans: readonly Span[]): Span[] {
  let end = 0
  return spans.filter((span) => {
    if (span.start < end) return false
    end = span.end
    return true
  })
}

function filled(text: string, replacements: readonly { start: number; end: number; text: string }[]): string {
  const parts: string[] = []
  let position = 0
  for (const { start, end, text: piece } of replacements) {
    parts.push(text.slice(position, start), piece)
    position = end
  }
  parts.push(text.slice(position))
  return parts.join('')
}
