import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import {
  type Absence,
  agentNews,
  type Course,
  counted,
  courseOf,
  duration,
  fullTime,
  type Mark,
  type TimelineOutput,
} from '@loader/readings'
import { scaleOf } from '../../model/course-scale.ts'
import { useKeys } from '../../model/keys.ts'
import { go, route } from '../../model/route.ts'
import type { OpenSession } from '../../model/session.ts'
import { Empty } from '../../ui/parts.tsx'
import { AgentNews, BarDetails, Decisions } from './details.tsx'
import { barAt, drawRow, type Frame, placeOf, ticksIn } from './drawing.ts'
import { type Bar, type LaneRow, laneRows } from './lanes.ts'
import { moved, showing, type Viewport, whole, zoomed } from './viewport.ts'

const sizes = { row: 22, gap: 4, lane: 12, axis: 26, band: 18 } as const
/** The room at both sides of the drawing, in pixels, as the style has it: what is at an end is drawn around it. */
const edge = 8

/** What ran from when to when, with the decisions above. */
export function TimelineView({ session }: { session: OpenSession }) {
  const { value: course } = session.reading(courseOf)
  const { value: news } = session.reading(agentNews)
  return course.spans.length === 0 ? <Empty title="Nothing has run yet." /> : <Timeline course={course} news={news} />
}

function Timeline({ course, news }: { course: Course; news: TimelineOutput['agents'] }) {
  const rows = useMemo(() => laneRows(course), [course])
  const scale = useMemo(() => scaleOf(course), [course])
  const [width, place] = useWidth()
  const viewport = useSignal<Viewport>(whole)
  const hovered = useSignal<{ readonly bar: Bar; readonly x: number; readonly y: number } | null>(null)
  const frame: Frame = { scale, viewport: viewport.value, width }
  const placed = useMemo(() => placeRows(rows), [rows])
  const { seq } = route.value
  const chosen = useMemo(() => barOf(rows, seq), [rows, seq])
  const order = useMemo(() => rows.flatMap(({ bars }) => bars).toSorted((one, other) => one.seq - other.seq), [rows])

  const choose = (bar: Bar | undefined) => {
    if (bar === undefined) return
    go({ seq: bar.seq, item: bar.key }, 'replace')
    viewport.value = showing(viewport.value, scale.unitOf(bar.from))
  }
  const beside = (by: 1 | -1) => {
    const at = chosen === null ? (by > 0 ? -1 : order.length) : order.indexOf(chosen)
    choose(order[Math.min(order.length - 1, Math.max(0, at + by))])
  }
  const zoom = (factor: number, around = 0.5) => (viewport.value = zoomed(viewport.value, factor, around))
  useKeys([
    { keys: ['+', '='], group: 'Timeline', says: 'Nearer', run: () => zoom(0.6, aroundChosen(chosen, frame)) },
    { keys: ['-'], group: 'Timeline', says: 'Further away', run: () => zoom(1 / 0.6, aroundChosen(chosen, frame)) },
    { keys: ['0'], group: 'Timeline', says: 'The whole session', run: () => (viewport.value = whole) },
    {
      keys: ['ArrowLeft', 'h'],
      group: 'Timeline',
      says: 'To the left',
      run: () => (viewport.value = moved(viewport.value, -0.2)),
    },
    {
      keys: ['ArrowRight', 'l'],
      group: 'Timeline',
      says: 'To the right',
      run: () => (viewport.value = moved(viewport.value, 0.2)),
    },
    { keys: ['j'], group: 'Timeline', says: 'Next bar', run: () => beside(1) },
    { keys: ['k'], group: 'Timeline', says: 'Bar before', run: () => beside(-1) },
  ])
  useWheel(place, viewport)
  const drag = useDrag(viewport, width)

  const height = placed.height + sizes.axis
  const find = (event: MouseEvent) => {
    const box = place.current?.getBoundingClientRect()
    if (box === undefined) return null
    const [x, y] = [event.clientX - box.left - edge, event.clientY - box.top]
    const row = placed.rows.find((one) => y >= one.top - 2 && y <= one.top + one.height + 2)
    const bar = row === undefined ? null : barAt(row.row.bars, x, frame)
    return bar === null ? null : { bar, x, y: (row?.top ?? 0) + (row?.height ?? 0) }
  }
  return (
    <div class="timeline">
      <div class="timeline-tools">
        <p class="quiet">{summaryOf(rows, course.to - course.from)}</p>
        <div role="group" aria-label="Zoom">
          <button type="button" onClick={() => zoom(1 / 0.6)} aria-label="Further away">
            −
          </button>
          <button type="button" onClick={() => zoom(0.6)} aria-label="Nearer">
            +
          </button>
          <button
            type="button"
            onClick={() => (viewport.value = whole)}
            disabled={viewport.value.end - viewport.value.start >= 1}
          >
            All
          </button>
        </div>
      </div>
      <div class="timeline-frame">
        <div class="timeline-names" aria-hidden="true" style={{ height: `${height}px` }}>
          {placed.rows.map(({ row, top }) =>
            row.isFirst ? (
              <span key={row.name} style={{ top: `${top}px` }}>
                {row.name}
              </span>
            ) : null,
          )}
        </div>
        <div
          class="timeline-chart"
          ref={place}
          tabIndex={0}
          role="group"
          aria-label="Timeline. j and k go from bar to bar, plus and minus zoom, arrows move."
          onPointerDown={(event) => drag.begin(event)}
          onPointerMove={(event) => {
            if (!drag.move(event)) hovered.value = find(event)
          }}
          onPointerUp={() => drag.end()}
          onPointerLeave={() => (hovered.value = null)}
          onClick={(event) => {
            if (!drag.hasMoved()) choose(find(event)?.bar)
          }}
        >
          <svg width={width} height={height} aria-hidden="true">
            <Backdrop frame={frame} height={placed.height} marks={course.marks} absences={course.absences} />
            {placed.rows.map(({ row, top, height: rowHeight }, index) => (
              <Row key={index} row={row} top={top} height={rowHeight} frame={frame} />
            ))}
            {chosen !== null && <Chosen bar={chosen} placed={placed} frame={frame} />}
            <Axis frame={frame} top={placed.height} />
          </svg>
          {hovered.value !== null && (
            <div
              class="tip"
              style={{
                left: `${edge + Math.min(Math.max(0, hovered.value.x - 20), Math.max(0, width - 280))}px`,
                top: `${hovered.value.y + 6}px`,
              }}
            >
              <strong>{hovered.value.bar.title}</strong>
              <span class="quiet">{tipOf(hovered.value.bar)}</span>
            </div>
          )}
        </div>
      </div>
      <Legend marks={course.marks} hasAbsence={course.absences.length > 0} />
      <div class="timeline-details" aria-live="polite">
        {chosen === null ? (
          <p class="quiet said">Choose a bar to see what it was, and why. Keys: j, k, + and −; the wheel zooms.</p>
        ) : (
          <BarDetails bar={chosen} />
        )}
      </div>
      <AgentNews news={news} />
      <Decisions decisions={course.decisions} />
    </div>
  )
}

interface Placed {
  readonly rows: readonly { readonly row: LaneRow; readonly top: number; readonly height: number }[]
  readonly height: number
}

function placeRows(rows: readonly LaneRow[]): Placed {
  let top = 4
  const placed = rows.map((row, index) => {
    if (index > 0) top += row.isFirst ? sizes.lane : sizes.gap
    const height = row.look === 'bars' ? sizes.row : sizes.band
    const at = top
    top += height
    return { row, top: at, height }
  })
  return { rows: placed, height: top + 6 }
}

function Row({ row, top, height, frame }: { row: LaneRow; top: number; height: number; frame: Frame }) {
  const { paths, labels } = drawRow(row, frame, height)
  return (
    <g transform={`translate(0 ${top})`}>
      {paths.map(({ fill, d }) => (
        <path key={fill} class={`bar-${fill}`} d={d} />
      ))}
      {labels.map(({ key, x, width, text }) => (
        <svg key={key} x={x} width={width} height={height}>
          <text class="bar-label" y={height / 2 + 4}>
            {text}
          </text>
        </svg>
      ))}
    </g>
  )
}

/** Where no process worked, where time was left out, and what divides a session. */
function Backdrop({
  frame,
  height,
  marks,
  absences,
}: {
  frame: Frame
  height: number
  marks: readonly Mark[]
  absences: readonly Absence[]
}) {
  const { breaks } = ticksIn(frame)
  return (
    <>
      <defs>
        <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0V6" class="hatch-line" />
        </pattern>
      </defs>
      <path class="time-break" d={breaks.map(({ x, width }) => box(x, Math.max(1, width), height)).join('')} />
      <path class="absence" fill="url(#hatch)" d={absencePath(absences, frame, height)} />
      {linePaths(marks, frame, height).map(({ kind, d }) => (
        <path key={kind} class={`mark-${kind}`} d={d} />
      ))}
    </>
  )
}

function box(x: number, width: number, height: number): string {
  return `M${x.toFixed(1)} 0h${width.toFixed(1)}v${height}h${(-width).toFixed(1)}z`
}

function absencePath(absences: readonly Absence[], frame: Frame, height: number): string {
  return absences
    .flatMap(({ from, to }) => {
      const [left, right] = [placeOf(from, frame), placeOf(to, frame)]
      return right < 0 || left > frame.width ? [] : [box(left, Math.max(4, right - left), height)]
    })
    .join('')
}

/** The lines of the marks that are on the screen, as one path for each kind. */
function linePaths(marks: readonly Mark[], frame: Frame, height: number) {
  const paths = new Map<Mark['kind'], string>()
  const drawn = new Map<Mark['kind'], number>()
  for (const { kind, at } of marks) {
    const x = placeOf(at, frame)
    if (kind === 'input' || x < 0 || x > frame.width || x - (drawn.get(kind) ?? -10) < 1) continue
    drawn.set(kind, x)
    paths.set(kind, `${paths.get(kind) ?? ''}M${x.toFixed(1)} 0V${height}`)
  }
  return [...paths].map(([kind, d]) => ({ kind, d }))
}

function Axis({ frame, top }: { frame: Frame; top: number }) {
  const { ticks, breaks } = ticksIn(frame)
  return (
    <g transform={`translate(0 ${top})`}>
      <path class="axis" d={`M0 .5H${frame.width}`} />
      {ticks.map(({ x, at, step }) => (
        <g key={at} transform={`translate(${x.toFixed(1)} 0)`}>
          <path class="axis" d="M0 0v5" />
          <text class="axis-label" x="3" y="18">
            {tickText(at, step)}
          </text>
        </g>
      ))}
      <path
        class="axis"
        d={breaks
          .map(({ x, width }) => `M${(x + width / 2 - 4).toFixed(1)} 4l3-8M${(x + width / 2 + 1).toFixed(1)} 4l3-8`)
          .join('')}
      />
    </g>
  )
}

function tickText(at: number, step: number): string {
  const text = fullTime(new Date(at).toISOString())
  if (step >= 86_400_000) return text.slice(5, 10)
  if (step >= 60_000) return text.slice(11, 16)
  if (step >= 1000) return text.slice(11)
  return `${text.slice(14)}.${String(at % 1000).padStart(3, '0')}`
}

function Chosen({ bar, placed, frame }: { bar: Bar; placed: Placed; frame: Frame }) {
  const row = placed.rows.find((one) => one.row.bars.includes(bar))
  if (row === undefined) return null
  const x = placeOf(bar.from, frame)
  const isPoint = row.row.look === 'points'
  const width = isPoint ? 14 : Math.max(5, placeOf(bar.to, frame) - x)
  return (
    <rect
      class="chosen-bar"
      x={(isPoint ? x - 7 : x) - 1.5}
      width={width + 3}
      y={row.top - 1.5}
      height={row.height + 3}
      rx="3"
    />
  )
}

function Legend({ marks, hasAbsence }: { marks: readonly Mark[]; hasAbsence: boolean }) {
  const kinds = new Set(marks.map(({ kind }) => kind))
  return (
    <ul class="legend" aria-label="What the colours say">
      <li class="legend-live">model writes</li>
      <li class="legend-pale">waiting</li>
      <li class="legend-good">ended well, green</li>
      <li class="legend-bad">failed, red</li>
      <li class="legend-warn">unknown, cut off</li>
      {hasAbsence && <li class="legend-absence">no process</li>}
      {kinds.has('compaction') && <li class="legend-compaction">compaction</li>}
      {kinds.has('accepted') && <li class="legend-accepted">accepted by you</li>}
    </ul>
  )
}

function tipOf({ kind, outcome, from, to, span }: Bar): string {
  if (span === null) return kind
  return [kind, ...(outcome === null ? [] : [outcome]), duration(to - from)].join(' · ')
}

function summaryOf(rows: readonly LaneRow[], ms: number): string {
  const count = (name: string) =>
    rows.filter((row) => row.name === name).reduce((sum, { bars }) => sum + bars.length, 0)
  return [
    duration(ms),
    counted(count('Turns'), 'turn'),
    counted(count('Model'), 'request'),
    counted(count('Calls'), 'call'),
    ...(count('Agents') === 0 ? [] : [counted(count('Agents'), 'agent')]),
    ...(count('Checks') === 0 ? [] : [counted(count('Checks'), 'run of a check', 'runs of checks')]),
  ].join(' · ')
}

/** The bar that an event is about: the one that was chosen, else the one that it began, else the last before it. */
function barOf(rows: readonly LaneRow[], seq: number | null): Bar | null {
  if (seq === null) return null
  const { item } = route.value
  const bars = rows.flatMap(({ bars: some }) => some)
  const named = bars.find(({ key }) => key === item)
  if (named !== undefined) return named
  const before = bars.filter((bar) => bar.seq <= seq && bar.kind !== 'turn' && bar.kind !== 'mode')
  return before.toSorted((one, other) => other.seq - one.seq)[0] ?? null
}

function aroundChosen(chosen: Bar | null, frame: Frame): number {
  if (chosen === null) return 0.5
  const unit = placeOf((chosen.from + chosen.to) / 2, frame) / frame.width
  return unit < 0 || unit > 1 ? 0.5 : unit
}

function useWidth() {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(800)
  useEffect(() => {
    const box = place.current
    if (box === null) return undefined
    const observer = new ResizeObserver(() => setWidth(Math.max(200, box.clientWidth - 2 * edge)))
    observer.observe(box)
    return () => observer.disconnect()
  }, [])
  return [width, place] as const
}

/** The wheel zooms where the pointer is; sideways, or with shift, it moves. Once a frame, however often it turns. */
function useWheel(place: { readonly current: HTMLElement | null }, viewport: { value: Viewport }): void {
  useEffect(() => {
    const box = place.current
    if (box === null) return undefined
    let wanted: Viewport | null = null
    let frame = 0
    const apply = () => {
      frame = 0
      if (wanted !== null) viewport.value = wanted
      wanted = null
    }
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      const now = wanted ?? viewport.value
      const { left, width } = box.getBoundingClientRect()
      const sideways = event.shiftKey ? event.deltaY : event.deltaX
      wanted =
        event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)
          ? moved(now, sideways / width)
          : zoomed(now, Math.exp(event.deltaY / 400), (event.clientX - left - edge) / (width - 2 * edge))
      frame ||= requestAnimationFrame(apply)
    }
    box.addEventListener('wheel', onWheel, { passive: false })
    return () => {
      box.removeEventListener('wheel', onWheel)
      cancelAnimationFrame(frame)
    }
  }, [])
}

/** The chart is moved by dragging, with one finger as well. */
function useDrag(viewport: { value: Viewport }, width: number) {
  const from = useRef<{ x: number; viewport: Viewport; moved: boolean } | null>(null)
  const last = useRef(false)
  return {
    begin(event: PointerEvent) {
      if (event.button === 0) from.current = { x: event.clientX, viewport: viewport.value, moved: false }
    },
    /** Whether it was a part of dragging. */
    move(event: PointerEvent): boolean {
      const start = from.current
      if (start === null) return false
      const by = start.x - event.clientX
      if (Math.abs(by) > 3 && !start.moved) {
        start.moved = true
        ;(event.currentTarget as Element).setPointerCapture(event.pointerId)
      }
      if (start.moved) viewport.value = moved(start.viewport, by / width)
      return start.moved
    },
    end() {
      last.current = from.current?.moved ?? false
      from.current = null
    },
    hasMoved: () => last.current,
  }
}
