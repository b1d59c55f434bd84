import { lineEndingOf, type LineEnding, withLineEnding } from '../files/line-endings.ts'
import type { Matches } from './matches.ts'

/** The places that contain the text exactly. New lines get the line ending of the lines around them. */
export function exactMatches(text: string, wanted: string, replacement: string): Matches {
  const endingAround = endingsOf(text)
  return {
    spans: positionsOf(text, wanted)
      .map((start) => ({ start, end: start + wanted.length }))
      .filter(({ start, end }) => !splitsLineEnding(text, start) && !splitsLineEnding(text, end)),
    fill({ start, end }) {
      // If the wanted text names line endings, those of the replacement are meant literally too.
      const isMeant = wanted.includes('\r') || !replacement.includes('\n')
      return { start, end, text: isMeant ? replacement : withLineEnding(replacement, endingAround(start, end)) }
    },
  }
}

/** The same, treating both line endings as equal. */
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

/** A match must not begin or end inside of a CRLF: the other half would be left behind. */
function splitsLineEnding(text: string, position: number): boolean {
  return text[position - 1] === '\r' && text[position] === '\n'
}

/** Every position, overlapping ones included, because they also make a match ambiguous. */
function positionsOf(text: string, wanted: string): number[] {
  const positions: number[] = []
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) positions.push(at)
  return positions
}

/** Returns a function for the line ending used in a part of the text, or in its line. Parts must be passed in order. */
function endingsOf(text: string): (start: number, end: number) => LineEnding {
  if (!text.includes('\r\n')) return () => '\n'
  const usual = lineEndingOf(text) ?? '\n'
  let next = text.indexOf('\n')
  return (start, end) => {
    const within = lineEndingOf(text.slice(start, end))
    if (within !== undefined) return within
    // Searched once, not for every part, because a line can be as long as the text.
    if (next !== -1 && next < end) next = text.indexOf('\n', end)
    if (next === -1) return usual
    return text[next - 1] === '\r' ? '\r\n' : '\n'
  }
}

/** Narrows a replacement to the lines that change, so that unchanged lines keep their line endings. */
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

/** Maps positions in the text without carriage returns to positions in the text itself. */
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
