import { type Course, inOneLine, type Span } from '@loader/readings'
import type { TimelineEntry } from '@loader/session-core/coding'
import type { Tone } from '../../model/words.ts'
import { plainLine } from '../../markdown/plain-line.ts'
import { plain, toneOf } from '../../model/words.ts'

/** A bar of the timeline. */
export interface Bar {
  readonly key: string
  readonly seq: number
  readonly from: number
  /** The end, or the end of the session for what goes on. */
  readonly to: number
  readonly title: string
  readonly kind: string
  readonly outcome: string | null
  /** The bar from its beginning to its end in parts, each with a colour; `pale` is time in which one only waited. */
  readonly parts: readonly { readonly to: number; readonly fill: Tone | 'pale' | 'mode' }[]
  readonly span: Span | null
  readonly decision: TimelineEntry | null
}

/** One row of bars that do not overlap, in the order of time. */
export interface LaneRow {
  readonly name: string
  /** The first row of a lane bears its name. */
  readonly isFirst: boolean
  readonly bars: readonly Bar[]
  readonly look: 'bars' | 'points' | 'band'
}

/** How many rows things that run at once may take. Agents mostly do. */
const mostRows = 3
const mostAgentRows = 8

const lanes: readonly { readonly name: string; readonly kinds: ReadonlySet<Span['kind']> }[] = [
  { name: 'Turns', kinds: new Set(['turn']) },
  { name: 'Model', kinds: new Set(['request']) },
  { name: 'Calls', kinds: new Set(['call', 'hook']) },
  { name: 'Checks', kinds: new Set(['check']) },
  { name: 'Waits', kinds: new Set(['wait', 'question']) },
  { name: 'Agents', kinds: new Set(['agent']) },
  { name: 'Background', kinds: new Set(['background']) },
]

/** The rows of the timeline, from the top. */
export function laneRows(course: Course): LaneRow[] {
  const { decisions } = course
  return [
    { name: 'Mode', isFirst: true, look: 'band', bars: modeBars(decisions, course.to) },
    { name: 'Decisions', isFirst: true, look: 'points', bars: decisions.map(decisionBar) },
    ...lanes.flatMap(({ name, kinds }): LaneRow[] => {
      const bars = course.spans.filter(({ kind }) => kinds.has(kind)).map((span) => spanBar(span, course.to))
      const most = kinds.has('agent') ? mostAgentRows : mostRows
      return stacked(bars, most).map((row, index) => ({ name, isFirst: index === 0, look: 'bars', bars: row }))
    }),
  ]
}

/** What overlaps goes below each other; what does not fit any more goes into the last row. */
function stacked(bars: readonly Bar[], most: number): Bar[][] {
  const rows: Bar[][] = []
  for (const bar of bars) {
    const free = rows.find((row) => (row.at(-1)?.to ?? 0) <= bar.from)
    if (free !== undefined) free.push(bar)
    else if (rows.length < most) rows.push([bar])
    else rows.at(-1)?.push(bar)
  }
  return rows
}

function spanBar(span: Span, now: number): Bar {
  const { kind, seq, from, title, outcome, room } = span
  const to = span.to ?? now
  const said = kind === 'turn' ? plainLine(title) : inOneLine(title)
  return {
    key: `${kind} ${span.id} ${seq}`,
    seq,
    from,
    to,
    kind,
    title: room === undefined ? said : `${said} · ${plain(room)}`,
    outcome,
    parts: partsOf(span, to),
    span,
    decision: null,
  }
}

function partsOf(span: Span, to: number): Bar['parts'] {
  const { kind, outcome, firstWord, cutBy } = span
  if (cutBy !== undefined) return [{ to, fill: outcome === 'ok' ? 'good' : 'warn' }]
  if (kind === 'wait' || kind === 'question') return [{ to, fill: 'pale' }]
  if (kind === 'request') {
    const isAnswer = outcome === null || outcome === 'stop' || outcome === 'tool-calls' || outcome === 'length'
    const fill = isAnswer ? 'live' : 'bad'
    return firstWord === undefined
      ? [{ to, fill }]
      : [
          { to: firstWord, fill: 'pale' },
          { to, fill },
        ]
  }
  // In any room but `now`, red may be just what was to be seen.
  if (kind === 'check' && span.room !== undefined && span.room !== 'now' && outcome === 'failed')
    return [{ to, fill: 'idle' }]
  return [{ to, fill: outcome === null ? 'live' : toneOf(outcome) }]
}

/** What kind of decision it was: a way that was taken, a success, a failure, or a demand for more. */
export function decisionTone({ kind, policyOutcome }: TimelineEntry): Tone {
  if (kind === 'completion_complete' || policyOutcome === 'passed') return 'good'
  if (policyOutcome === 'failed' || kind === 'repair_fail') return 'bad'
  return kind === 'route' || kind === 'handoff' || kind === 'reentry' ? 'live' : 'warn'
}

function decisionBar(decision: TimelineEntry): Bar {
  const at = Date.parse(decision.at)
  const { kind, seq, summary } = decision
  return {
    key: `decision ${seq}`,
    seq,
    from: at,
    to: at,
    kind: plain(kind),
    title: plainLine(summary),
    outcome: null,
    parts: [{ to: at, fill: decisionTone(decision) }],
    span: null,
    decision,
  }
}

/** The mode in which the work was done, from each decision that changed it to the next. */
function modeBars(decisions: readonly TimelineEntry[], end: number): Bar[] {
  const changes = decisions.filter(({ mode }, index) => decisions[index - 1]?.mode !== mode)
  return changes.map((decision, index) => {
    const from = Date.parse(decision.at)
    const next = changes[index + 1]
    const to = next === undefined ? end : Date.parse(next.at)
    return {
      key: `mode ${decision.seq}`,
      seq: decision.seq,
      from,
      to,
      kind: 'mode',
      title: decision.mode,
      outcome: null,
      parts: [{ to, fill: 'mode' as const }],
      span: null,
      decision,
    }
  })
}
