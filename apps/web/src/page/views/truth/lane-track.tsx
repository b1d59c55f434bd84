import {
  type Absence,
  type AcceptanceReading,
  type CheckRunReading,
  type CriterionLane,
  inOneLine,
} from '@loader/readings'
import type { TimeScale } from '../../model/time-scale.ts'
import { plain, toneOf } from '../../model/words.ts'

const width = 1000
const band = { top: 4, height: 16 } as const

interface TrackProps {
  readonly lane: CriterionLane
  readonly scale: TimeScale
  readonly changes: readonly { readonly seq: number; readonly at: number }[]
  readonly accepted: readonly AcceptanceReading[]
  readonly absences: readonly Absence[]
  readonly onRun: (run: CheckRunReading) => void
}

/** One criterion over time: how it stood, the runs of its checks below, and what could have changed it. */
export function LaneTrack({ lane, scale, changes, accepted, absences, onRun }: TrackProps) {
  const x = (at: number) => scale.unitOf(at) * width
  const open = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect()
    const at = scale.timeAt((event.clientX - box.left) / box.width)
    const run = nearest(lane.runs, at)
    if (run !== null) onRun(run)
  }
  return (
    <div class="lane-track" onClick={open} role="presentation">
      <svg viewBox={`0 0 ${width} 40`} preserveAspectRatio="none" role="img" aria-label={describe(lane)}>
        <path class="lane-base" d={`M0 ${band.top + band.height / 2}H${width}`} />
        {lane.stretches.map(({ from, to, word, seq, reasons }) => (
          <rect
            key={seq}
            class={`stretch stretch-${toneClass(word)}`}
            x={x(from)}
            width={Math.max(1.5, x(to ?? Number.POSITIVE_INFINITY) - x(from) - 0.8)}
            y={band.top}
            height={band.height}
          >
            <title>{`${plain(word)}: ${reasons.map(inOneLine).join('; ')}`}</title>
          </rect>
        ))}
        <path
          class="lane-absence"
          d={absences.map(({ from, to }) => box(x(from), Math.max(2, x(to) - x(from)), 0, 40)).join('')}
        />
        <path class="lane-changes" d={changes.map(({ at }) => `M${x(at).toFixed(1)} 22v5`).join('')} />
        {runPaths(lane.runs, x).map(({ name, d }) => (
          <path key={name} class={`run-${name}`} d={d} />
        ))}
        {accepted.map(({ at, seq }) => (
          <rect key={seq} class="lane-accepted" x={x(at) - 1.5} width="3" y="0" height="24" />
        ))}
      </svg>
    </div>
  )
}

/** The runs as one path for each colour: there can be hundreds. */
function runPaths(runs: readonly CheckRunReading[], x: (at: number) => number) {
  const paths = new Map<string, string[]>()
  for (const run of runs) {
    const name = runClass(run)
    const isItself = run.room === null || run.room === 'now'
    const from = x(run.from)
    const width = Math.max(2.4, x(run.to ?? Number.POSITIVE_INFINITY) - from - 0.6)
    const list = paths.get(name) ?? []
    list.push(isItself ? box(from, width, 28, 11) : box(from, width, 32, 7))
    paths.set(name, list)
  }
  return [...paths].map(([name, parts]) => ({ name, d: parts.join('') }))
}

function box(left: number, width: number, top: number, height: number): string {
  return `M${left.toFixed(1)} ${top}h${width.toFixed(1)}v${height}h${(-width).toFixed(1)}z`
}

function toneClass(word: string): string {
  if (word === 'stale' || word === 'checking') return word
  return toneOf(word)
}

function runClass({ evidence, isCutOff, room }: CheckRunReading): string {
  if (isCutOff) return 'warn'
  if (evidence === null) return 'live'
  if (evidence.notShown !== undefined) return 'idle'
  if (evidence.outcome === 'passed') return 'good'
  return room === null || room === 'now' ? 'bad' : 'other'
}

function describe({ criterion, stretches }: CriterionLane): string {
  const words = stretches.map(({ word }) => plain(word))
  return `${criterion.text}: ${words.length === 0 ? 'never run' : words.join(', then ')}`
}

function nearest(runs: readonly CheckRunReading[], at: number): CheckRunReading | null {
  const away = ({ from, to }: CheckRunReading) => (at < from ? from - at : to !== null && at > to ? at - to : 0)
  return runs.toSorted((one, other) => away(one) - away(other))[0] ?? null
}
