/** A stretch of time on the scale. A break stands for a long time in which nothing ran. */
interface Piece {
  readonly from: number
  readonly to: number
  readonly start: number
  readonly end: number
  readonly isBreak: boolean
}

/** Where times lie from 0 to 1, with long times in which nothing ran made short. */
export interface TimeScale {
  readonly pieces: readonly Piece[]
  unitOf(at: number): number
  timeAt(unit: number): number
}

export type Interval = readonly [from: number, to: number]

/** What is longer than this part of the busy time is a break. */
const longGap = 0.06
const shortestBreak = 2000
/** How long a break is drawn, and how much all of them may take, as parts of the busy time. */
const breakLength = 0.025
const allBreaks = 0.3

/** A scale over these times. `busy` are the times in which something ran. */
export function timeScale(busy: readonly Interval[], [from, to]: Interval): TimeScale {
  const stretches = merged([[from, from], ...busy, [to, to]])
  const busyTime = stretches.reduce((sum, [start, end]) => sum + end - start, 0)
  const limit = Math.max(shortestBreak, busyTime * longGap)
  const gaps = stretches.slice(1).map(([start], index) => start - (stretches[index]?.[1] ?? start))
  const breaks = gaps.filter((gap) => gap > limit).length
  const drawn = Math.max(1, Math.min(busyTime * breakLength, (busyTime * allBreaks) / Math.max(1, breaks)))
  const lengths = stretches.flatMap(([start, end], index) => {
    const before = stretches[index - 1]?.[1]
    const gap = before === undefined ? 0 : start - before
    return [
      ...(gap > 0 && before !== undefined
        ? [{ from: before, to: start, length: gap > limit ? drawn : gap, isBreak: gap > limit }]
        : []),
      ...(end > start ? [{ from: start, to: end, length: end - start, isBreak: false }] : []),
    ]
  })
  return scaleOf(lengths, [from, to])
}

function merged(intervals: readonly Interval[]): Interval[] {
  const result: [number, number][] = []
  for (const [start, end] of intervals.toSorted((one, other) => one[0] - other[0])) {
    const last = result.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else result.push([start, end])
  }
  return result
}

function scaleOf(
  lengths: readonly {
    readonly from: number
    readonly to: number
    readonly length: number
    readonly isBreak: boolean
  }[],
  [from, to]: Interval,
): TimeScale {
  const whole = lengths.reduce((sum, { length }) => sum + length, 0)
  if (whole === 0) return { pieces: [], unitOf: () => 0.5, timeAt: () => from }
  let start = 0
  const pieces = lengths.map(({ length, ...piece }): Piece => {
    const placed = { ...piece, start: start / whole, end: (start + length) / whole }
    start += length
    return placed
  })
  return {
    pieces,
    unitOf(at) {
      if (at <= from) return 0
      if (at >= to) return 1
      const piece = pieceAt(pieces, (one) => one.to <= at)
      return piece.start + ((at - piece.from) / (piece.to - piece.from)) * (piece.end - piece.start)
    },
    timeAt(unit) {
      const piece = pieceAt(pieces, (one) => one.end <= unit)
      const part = piece.end === piece.start ? 0 : (unit - piece.start) / (piece.end - piece.start)
      return piece.from + Math.min(1, Math.max(0, part)) * (piece.to - piece.from)
    },
  }
}

/** The first piece that is not before. */
function pieceAt(pieces: readonly Piece[], isBefore: (piece: Piece) => boolean): Piece {
  let [low, high] = [0, pieces.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(pieces[middle] as Piece)) low = middle + 1
    else high = middle
  }
  return pieces[low] as Piece
}
