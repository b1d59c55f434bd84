import type { TimeScale } from '../../model/time-scale.ts'
import type { Bar, LaneRow } from './lanes.ts'
import type { Viewport } from './viewport.ts'

/** A row as it is drawn: one path for each colour, however many bars there are, and the words that fit. */
export interface DrawnRow {
  readonly paths: readonly { readonly fill: string; readonly d: string }[]
  readonly labels: readonly Label[]
}

/** Words in a bar. Letters of some scripts are wider than was reckoned with: what is beyond `width` is not shown. */
interface Label {
  readonly key: string
  readonly x: number
  readonly width: number
  readonly text: string
}

export interface Frame {
  readonly scale: TimeScale
  readonly viewport: Viewport
  readonly width: number
}

/** Where a time lies on the screen, in pixels. */
export function placeOf(at: number, { scale, viewport: { start, end }, width }: Frame): number {
  return ((scale.unitOf(at) - start) / (end - start)) * width
}

const narrowest = 1.5
/** Words are written into bars that are at least so wide, in pixels. */
const room = { least: 46, letter: 6.5, margin: 5 } as const

/** The bars of a row that are on the screen. What would lie on the very pixels of the one before is left out. */
export function drawRow({ bars, look }: LaneRow, frame: Frame, height: number): DrawnRow {
  const paths = new Map<string, string[]>()
  const labels: Label[] = []
  const add = (fill: string, d: string) => {
    const list = paths.get(fill) ?? []
    list.push(d)
    paths.set(fill, list)
  }
  const drawn = new Map<string, number>()
  const [first, end] = visibleBars(bars, frame)
  for (let index = first; index < end; index += 1) {
    const bar = bars[index] as Bar
    const left = placeOf(bar.from, frame)
    if (look === 'points') {
      const fill = bar.parts[0]?.fill ?? 'idle'
      if (left - (drawn.get(fill) ?? -10) < 1) continue
      drawn.set(fill, left)
      add(fill, diamond(left, height / 2, Math.min(5.5, height / 2 - 1)))
      continue
    }
    let begin = left
    for (const { to, fill } of bar.parts) {
      const right = Math.max(begin + narrowest, placeOf(to, frame))
      const from = Math.max(-2, begin)
      const until = Math.min(frame.width + 2, right)
      begin = right
      if (until <= (drawn.get(fill) ?? -10) + 0.5) continue
      drawn.set(fill, until)
      add(
        fill,
        `M${from.toFixed(1)} 0h${Math.max(narrowest, until - from - 0.5).toFixed(1)}v${height}h${(-Math.max(narrowest, until - from - 0.5)).toFixed(1)}z`,
      )
    }
    const shown = Math.min(frame.width, begin) - Math.max(0, left)
    if (shown >= room.least) {
      const letters = Math.floor((shown - 2 * room.margin) / room.letter)
      const text = bar.title.length <= letters ? bar.title : `${bar.title.slice(0, Math.max(1, letters - 1))}…`
      labels.push({ key: bar.key, x: Math.max(0, left) + room.margin, width: shown - 2 * room.margin, text })
    }
  }
  return { paths: [...paths].map(([fill, parts]) => ({ fill, d: parts.join('') })), labels }
}

function diamond(x: number, y: number, size: number): string {
  return `M${x.toFixed(1)} ${(y - size).toFixed(1)}l${size} ${size}l${-size} ${size}l${-size} ${-size}z`
}

/** The bars that can be on the screen, by their indexes. They are in the order of time and do not overlap. */
function visibleBars(bars: readonly Bar[], { scale, viewport }: Frame): [first: number, end: number] {
  const from = scale.timeAt(viewport.start)
  const until = scale.timeAt(viewport.end)
  return [
    Math.max(0, lowest(bars, (bar) => bar.to >= from) - 1),
    Math.min(bars.length, lowest(bars, (bar) => bar.from > until) + 1),
  ]
}

function lowest(bars: readonly Bar[], fits: (bar: Bar) => boolean): number {
  let [low, high] = [0, bars.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (fits(bars[middle] as Bar)) high = middle
    else low = middle + 1
  }
  return low
}

/** The bar nearest to a place on the screen, within a few pixels. */
export function barAt(bars: readonly Bar[], x: number, frame: Frame): Bar | null {
  const near = 6
  let best: Bar | null = null
  let distance = near
  const [first, end] = visibleBars(bars, frame)
  for (const bar of bars.slice(first, end)) {
    const left = placeOf(bar.from, frame)
    const right = Math.max(left + narrowest, placeOf(bar.to, frame))
    const away = x < left ? left - x : x > right ? x - right : 0
    if (
      away > distance ||
      (away === distance && best !== null && right - left > placeOf(best.to, frame) - placeOf(best.from, frame))
    )
      continue
    best = bar
    distance = away
  }
  return best
}

const milliseconds = [1, 2, 5, 10, 20, 50, 100, 200, 500]
const steps = [
  ...milliseconds,
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 3, 6, 12].map((hours) => hours * 3_600_000),
  ...[1, 2, 7, 14, 30].map((days) => days * 86_400_000),
]
const tickWidth = 92

/** Times to write below the bars, no nearer to each other than they can be read, and where time was left out. */
export function ticksIn(frame: Frame): {
  readonly ticks: readonly { readonly x: number; readonly at: number; readonly step: number }[]
  readonly breaks: readonly { readonly x: number; readonly width: number }[]
} {
  const { scale, viewport, width } = frame
  const ticks: { x: number; at: number; step: number }[] = []
  const breaks: { x: number; width: number }[] = []
  let last = -tickWidth
  for (const { from, to, start, end, isBreak } of scale.pieces) {
    if (end < viewport.start || start > viewport.end) continue
    const left = placeOf(from, frame)
    const right = placeOf(to, frame)
    if (isBreak) {
      breaks.push({ x: left, width: right - left })
      continue
    }
    if (right - left < 2) continue
    // A clock can be wrong by centuries: then the step is whatever is wide enough.
    const wideEnough = (tickWidth / (right - left)) * (to - from)
    const step = steps.find((one) => one >= wideEnough) ?? wideEnough
    const begin = scale.timeAt(Math.max(start, viewport.start))
    const until = scale.timeAt(Math.min(end, viewport.end))
    for (let at = Math.ceil(begin / step) * step; at <= until; at += step) {
      const x = placeOf(at, frame)
      if (x - last < tickWidth || x > width - 62) continue
      ticks.push({ x, at, step })
      last = x
    }
  }
  return { ticks, breaks }
}
