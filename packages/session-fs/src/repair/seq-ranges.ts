import type { SeqRange } from '@loader/session-core'
/** Which seqs up to the last are not among those that are there. */
export function missingUpTo(last: number, isThere: (seq: number) => boolean): SeqRange[] {
  const missing: { first: number; last: number }[] = []
  for (let seq = 1; seq <= last; seq += 1) {
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
