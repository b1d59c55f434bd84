import type { SeqRange } from '@loader/session-core'

/** Which seqs from one to another are not among those that are there. */
export function missingBetween(first: number, last: number, isThere: (seq: number) => boolean): SeqRange[] {
  const missing: { first: number; last: number }[] = []
  for (let seq = first; seq <= last; seq += 1) {
    if (isThere(seq)) continue
    const open = missing.at(-1)
    if (open?.last === seq - 1) open.last = seq
    else missing.push({ first: seq, last: seq })
  }
  return missing
}

export function describeRange({ first, last }: SeqRange): string {
  return first === last ? `event ${first}` : `events ${first} to ${last}`
}

/** Which events, and how many where that takes counting. */
export function describeLost(ranges: readonly SeqRange[]): string {
  const shown = ranges.slice(0, 5).map(describeRange).join(', ')
  const count = countOf(ranges)
  const rest = ranges.length > 5 ? ', …' : ''
  return count < 3 ? shown : `${shown}${rest} (${count} events)`
}

export function countOf(ranges: readonly SeqRange[]): number {
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0)
}

export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
