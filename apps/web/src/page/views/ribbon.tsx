import { useMemo } from 'preact/hooks'
import { courseOf, inOneLine, type Span } from '@loader/readings'
import { scaleOf } from '../model/course-scale.ts'
import { go, route } from '../model/route.ts'
import type { OpenSession } from '../model/session.ts'
import { toneOf } from '../model/words.ts'

const width = 1000

/** The whole session in one line: its turns with their verdicts, and where it was cut off. A click leads to that place. */
export function Ribbon({ session }: { session: OpenSession }) {
  const { value: course } = session.reading(courseOf)
  const scale = useMemo(() => scaleOf(course), [course])
  const x = (at: number) => scale.unitOf(at) * width
  const turns = course.spans.filter(({ kind }) => kind === 'turn')
  const { seq } = route.value
  const here = useMemo(() => (seq === null ? null : timeOfSeq(session, seq)), [session, seq])
  const open = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect()
    const at = scale.timeAt(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)))
    go({ seq: seqAt(session, at) }, 'replace')
  }
  return (
    <div class="ribbon" onClick={open} role="presentation">
      <svg viewBox={`0 0 ${width} 20`} preserveAspectRatio="none" aria-hidden="true">
        <path class="ribbon-line" d={`M0 10H${width}`} />
        {turns.length > mostRects &&
          barPaths(turns, course.to, x).map(({ fill, d }) => <path key={fill} class={fill} d={d} />)}
        {(turns.length > mostRects ? [] : turns).map((turn) => (
          <rect
            key={turn.seq}
            class={`fill-${toneOf(turn.outcome ?? 'running')}`}
            x={x(turn.from)}
            width={Math.max(2, x(turn.to ?? course.to) - x(turn.from) - 1)}
            y="5"
            height="10"
            rx="1.5"
          >
            <title>{inOneLine(turn.title)}</title>
          </rect>
        ))}
        {course.absences.map(({ from, to, seq: by }) => (
          <rect key={by} class="ribbon-absence" x={x(from)} width={Math.max(3, x(to) - x(from))} y="2" height="16" />
        ))}
        {course.marks.map(({ kind, at, seq: by }) =>
          kind === 'compaction' ? (
            <rect key={by} class="ribbon-mark" x={x(at) - 1} width="2" y="1" height="18" />
          ) : null,
        )}
        {here !== null && <rect class="ribbon-here" x={x(here) - 1} width="2" y="0" height="20" />}
      </svg>
    </div>
  )
}

/** Of more turns than these, the bars are too narrow for a title of their own, and one path for each colour is enough. */
const mostRects = 150

function barPaths(turns: readonly Span[], end: number, x: (at: number) => number) {
  const paths = new Map<string, string>()
  for (const { outcome, from, to } of turns) {
    const fill = `fill-${toneOf(outcome ?? 'running')}`
    const [left, right] = [x(from), x(to ?? end)]
    const bar = `M${left.toFixed(1)} 5h${Math.max(0.6, right - left - 0.4).toFixed(1)}v10H${left.toFixed(1)}z`
    paths.set(fill, `${paths.get(fill) ?? ''}${bar}`)
  }
  return [...paths].map(([fill, d]) => ({ fill, d }))
}

function timeOfSeq({ history }: OpenSession, seq: number): number | null {
  const event = history[Math.min(history.length, seq) - 1]
  return event === undefined ? null : Date.parse(event.at)
}

function seqAt({ history }: OpenSession, at: number): number {
  const index = history.findIndex((event) => Date.parse(event.at) > at)
  return Math.max(1, index < 0 ? history.length : index)
}
