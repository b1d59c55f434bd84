import { bare, lineEndingOf, splitLines } from '../files/line-endings.ts'
import { reindent } from './reindent.ts'
import type { Matches, Span } from './matches.ts'

/** The white space of a line that is ignored. */
export type Tolerance = 'trailing' | 'surrounding'

/**
 * Whole lines that equal the wanted ones except for white space. They keep their line breaks, and if the file is
 * indented differently, the replacement is indented like it.
 */
export function tolerantMatches(text: string, wanted: string, replacement: string, tolerance: Tolerance): Matches {
  const reduce = tolerance === 'trailing' ? trimEnd : trim
  const wantedLines = wholeLines(wanted)
  const reduced = wantedLines.map(reduce)
  // Blank lines match everywhere.
  if (reduced.every((line) => line === '')) return { spans: [], fill: (span) => ({ ...span, text: '' }) }
  const lines = splitLines(text)
  const starts = startsOf(lines)
  const found = new Map(windows(lines, reduced, reduce).map((first) => [starts[first] as number, first]))
  return {
    spans: [...found].map(([start, first]) => spanOf(lines, starts, start, first, wantedLines.length)),
    fill(span) {
      const first = found.get(span.start) ?? 0
      const matched = lines.slice(first, first + wantedLines.length)
      const now = reindent(wantedLines, matched.map(bare), wholeLines(replacement))
      return { ...span, text: joined(now, matched, lineEndingOf(text) ?? '\n') }
    },
  }
}

function trimEnd(line: string): string {
  return line.trimEnd()
}

function trim(line: string): string {
  return line.trim()
}

/** The lines of a text, whether or not the last one has a line ending. */
function wholeLines(text: string): string[] {
  return splitLines(text).map(bare)
}

function startsOf(lines: readonly string[]): number[] {
  let start = 0
  return lines.map((line) => {
    start += line.length
    return start - line.length
  })
}

function windows(lines: readonly string[], wanted: readonly string[], reduce: (line: string) => string): number[] {
  const reduced = lines.map(reduce)
  const found: number[] = []
  for (let first = 0; first + wanted.length <= lines.length; first += 1) {
    if (wanted.every((line, index) => reduced[first + index] === line)) found.push(first)
  }
  return found
}

function spanOf(
  lines: readonly string[],
  starts: readonly number[],
  start: number,
  first: number,
  count: number,
): Span {
  const last = first + count - 1
  return { start, end: (starts[last] as number) + (lines[last] as string).length }
}

/** The new lines, with the line endings of the lines that they replace; the last one ends as the last one did. */
function joined(now: readonly string[], matched: readonly string[], usual: string): string {
  const ending = lineEndingOf(matched.join('')) ?? usual
  const last = matched.at(-1) ?? ''
  const lastEnding = last.slice(bare(last).length)
  return now.map((line, index) => line + (index === now.length - 1 ? lastEnding : ending)).join('')
}
