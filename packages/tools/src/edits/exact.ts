import { lineEndingOf, type LineEnding, withLineEnding } from '../files/line-endings.ts'
import type { Matches } from './matches.ts'

/** Places where the text stands as it is. New lines end the way those around them do. */
export function exactMatches(text: string, wanted: string, replacement: string): Matches {
  const endingAround = endingsOf(text)
  return {
    spans: positionsOf(text, wanted)
      .map((start) => ({ start, end: start + wanted.length }))
      .filter(({ start, end }) => !splitsLineEnding(text, start) && !splitsLineEnding(text, end)),
    fill({ start, end }) {
      // Who names line endings in what is looked for means those of the replacement as well.
      const isMeant = wanted.includes('\r') || !replacement.includes('\n')
      return { start, end, text: isMeant ? replacement : withLineEnding(replacement, endingAround(start, end)) }
    },
  }
}

/** The same with either line ending taken for the other. */
export function matchesAsideFromLineEndings(text: string, wanted: string, replacement: string): Matches {
  const plainText = withLineEnding(text, '\n')
  const plainWanted = withLineEnding(wanted, '\n')
  const inText = positionsIn(text)
  const endingAround = endingsOf(text)
  const { before, after, changed } = withoutCommonLines(plainWanted, withLineEnding(replacement, '\n'))
  const plainStarts = new Map(positionsOf(plainText, plainWanted).map((at) => [inText(at), at]))
  return {
    spans: [...plainStarts].map(([start, at]) => ({ start, end: inText(at + plainWanted.length) })),
    fill(span) {
      const at = plainStarts.get(span.start) ?? 0
      const start = inText(at + before)
      const end = inText(at + plainWanted.length - after)
      return { start, end, text: withLineEnding(changed, endingAround(start, end)) }
    },
  }
}

/** Half of a line ending is no place to begin or to stop at: the other half would be left behind. */
function splitsLineEnding(text: string, position: number): boolean {
  return text[position - 1] === '\r' && text[position] === '\n'
}

/** Every position, those that overlap included: they too make a place ambiguous. */
function positionsOf(text: string, wanted: string): number[] {
  const positions: number[] = []
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) positions.push(at)
  return positions
}

/** Tells how the lines of a part end, or the line that it is in. Parts are asked about from the first to the last. */
function endingsOf(text: string): (start: number, end: number) => LineEnding {
  if (!text.includes('\r\n')) return () => '\n'
  const usual = lineEndingOf(text) ?? '\n'
  let next = text.indexOf('\n')
  return (start, end) => {
    const within = lineEndingOf(text.slice(start, end))
    if (within !== undefined) return within
    // Looked for once and not for every part: a line can be as long as the text.
    if (next !== -1 && next < end) next = text.indexOf('\n', end)
    if (next === -1) return usual
    return text[next - 1] === '\r' ? '\r\n' : '\n'
  }
}

/** Whole lines that stay the same need not be touched, and so keep the ending that they have. */
function withoutCommonLines(old: string, now: string): { before: number; after: number; changed: string } {
  let same = 0
  while (same < old.length && same < now.length && old[same] === now[same]) same += 1
  const before = same === 0 ? 0 : old.lastIndexOf('\n', same - 1) + 1
  let alike = 0
  const most = Math.min(old.length, now.length) - before
  while (alike < most && old[old.length - 1 - alike] === now[now.length - 1 - alike]) alike += 1
  const newline = old.indexOf('\n', old.length - alike)
  const after = newline === -1 ? 0 : old.length - newline - 1
  return { before, after, changed: now.slice(before, now.length - after) }
}

/** Where a position of the text without its carriage returns lies in the text itself. */
function positionsIn(text: string): (position: number) => number {
  const dropped: number[] = []
  for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2)) dropped.push(at - dropped.length)
  return (position) => position + countBelow(dropped, position)
}

function countBelow(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as number) < limit) low = middle + 1
    else high = middle
  }
  return low
}
