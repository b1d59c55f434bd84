import { bare, splitLines } from '../files/line-endings.ts'
import { likeness } from '../files/likeness.ts'

const mostLines = 20_000
const mostShown = 8
const longestShown = 200
const likeEnough = 0.6

/** The lines most similar to those that were not found, numbered; undefined when none is similar. */
export function nearestLines(text: string, wanted: string): string | undefined {
  const lines = splitLines(text).slice(0, mostLines).map(bare)
  const wantedLines = splitLines(wanted).map(bare)
  const first = mostVotes(lines, wantedLines) ?? mostAlike(lines, wantedLines)
  if (first === undefined) return undefined
  const shown = lines.slice(first, first + Math.min(wantedLines.length, mostShown))
  return shown.map((line, index) => `${String(first + index + 1).padStart(4)}\t${shortened(line)}`).join('\n')
}

/** The start position at which most lines match. */
function mostVotes(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const places = new Map<string, number[]>()
  for (const [index, line] of wanted.entries()) {
    const key = line.trim()
    if (key !== '') places.set(key, [...(places.get(key) ?? []).slice(-3), index])
  }
  const votes = new Map<number, number>()
  for (const [number, line] of lines.entries()) {
    for (const index of places.get(line.trim()) ?? []) {
      const first = Math.max(0, number - index)
      votes.set(first, (votes.get(first) ?? 0) + line.trim().length)
    }
  }
  let best: number | undefined
  for (const [first, count] of votes) if (count > (votes.get(best ?? -1) ?? 0)) best = first
  return best
}

/** The start position at which the longest wanted line has its most similar line. */
function mostAlike(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const longest = wanted.reduce((index, line, other) => (line.length > (wanted[index] ?? '').length ? other : index), 0)
  const sought = (wanted[longest] ?? '').trim().slice(0, longestShown)
  let best: number | undefined
  let bestScore = likeEnough
  for (const [number, line] of lines.entries()) {
    const score = likeness(sought, line.trim().slice(0, longestShown))
    if (score >= bestScore) [best, bestScore] = [Math.max(0, number - longest), score]
  }
  return best
}

function shortened(line: string): string {
  return line.length <= longestShown ? line : `${line.slice(0, longestShown)}…`
}
