import { useMemo } from 'preact/hooks'
import {
  type CompactionReading,
  counted,
  inOneLine,
  shortCount,
  type WindowPart,
  windowParts,
  type WindowPoint,
  windowReading,
} from '@loader/readings'
import { useKeys } from '../../model/keys.ts'
import { go, route } from '../../model/route.ts'
import type { OpenSession } from '../../model/session.ts'
import { Markdown } from '../../ui/markdown.tsx'
import { Chip, Empty, SeqLink, Time } from '../../ui/parts.tsx'
import { Series } from '../../ui/series.tsx'

const names: Readonly<Record<WindowPart, string>> = {
  system: 'system prompt',
  tools: 'tools',
  summary: 'summary of what was folded',
  user: 'what you said',
  notes: 'notes of Loader',
  model: 'answers of the model',
  results: 'results of calls',
}

/** What the window of the model held at each request, and what compactions did to it. */
export function ContextView({ session }: { session: OpenSession }) {
  const { value: reading } = session.reading(windowReading)
  const { points, compactions, window } = reading
  const { seq } = route.value
  const chosen = pointAt(points, seq)
  const move = (by: number) => {
    const next = points[Math.min(points.length - 1, Math.max(0, chosen + by))]
    if (next !== undefined) go({ seq: next.seq }, 'replace')
  }
  useKeys([
    { keys: ['ArrowLeft', 'k'], group: 'Context', says: 'Request before', run: () => move(-1) },
    { keys: ['ArrowRight', 'j'], group: 'Context', says: 'Next request', run: () => move(1) },
  ])
  const layers = useMemo(
    () =>
      windowParts.map((part) => ({
        name: names[part],
        className: `area-${part}`,
        values: points.map(({ parts }) => parts[part]),
      })),
    [points],
  )
  const point = points[chosen]
  if (point === undefined) return <Empty title="The model has not been asked yet." />
  return (
    <div class="context">
      <p class="lead">
        {counted(points.length, 'request')},{' '}
        {compactions.length === 0 ? 'no compaction' : counted(compactions.length, 'compaction')}
        {window === null ? '; the size of the window is not known' : `; the window holds ${shortCount(window)} tokens`}.
      </p>
      <Series
        label={`What the window held over ${counted(points.length, 'request')}, from ${shortCount(sumOf(points[0]))} to ${shortCount(sumOf(points.at(-1)))} tokens`}
        layers={layers}
        nameOf={(index) => `request ${index + 1}`}
        valueText={shortCount}
        limit={window === null ? null : { value: window, text: `window ${shortCount(window)}` }}
        cuts={compactions.map(({ seq: at, removed }) => ({
          index: points.findIndex((one) => one.seq > at),
          text: `${counted(removed, 'message')} folded into a summary`,
        }))}
        chosen={chosen}
        onChoose={(index) => go({ seq: points[index]?.seq ?? null }, 'replace')}
      />
      <PointTable point={point} index={chosen} window={window} />
      {compactions.map((compaction) => (
        <Compaction key={compaction.seq} compaction={compaction} />
      ))}
    </div>
  )
}

function PointTable({ point, index, window }: { point: WindowPoint; index: number; window: number | null }) {
  const sum = sumOf(point)
  return (
    <section class="details" aria-live="polite" aria-label="What the window held">
      <header>
        <h3>
          Request {index + 1}, for {point.purpose === 'answer' ? 'an answer' : `a ${point.purpose}`}
        </h3>
        <SeqLink seq={point.seq} />
      </header>
      <table class="parts">
        <tbody>
          {windowParts.map((part) =>
            point.parts[part] === 0 ? null : (
              <tr key={part}>
                <th scope="row">
                  <span class={`swatch area-${part}`} />
                  {names[part]}
                </th>
                <td class="figure">{shortCount(point.parts[part])}</td>
                <td class="share" aria-hidden="true">
                  <span class={`share-bar area-${part}`} style={{ width: `${(100 * point.parts[part]) / sum}%` }} />
                </td>
              </tr>
            ),
          )}
          <tr class="sum">
            <th scope="row">{counted(point.messages, 'message')}, estimated</th>
            <td class="figure">{shortCount(sum)}</td>
            <td class="quiet">
              {point.reported === null
                ? 'the server did not tell the size'
                : `${shortCount(point.reported)} as the server counted`}
              {window !== null && `, ${Math.round((100 * (point.reported ?? sum)) / window)} % of the window`}
            </td>
          </tr>
        </tbody>
      </table>
    </section>
  )
}

function Compaction({ compaction }: { compaction: CompactionReading }) {
  const { seq, at, method, why, before, after, removed, carried, summary, isUndone } = compaction
  return (
    <details class="details compaction">
      <summary>
        <h3>
          {counted(removed, 'message')} folded, {shortCount(before)} → {shortCount(after)} tokens
        </h3>
        {isUndone && <Chip word="undone later" tone="idle" />}
        <span class="quiet">
          by {method === 'model' ? 'the model' : 'Loader'}
          {why !== null && `, because: ${inOneLine(why)}`}
          {carried > 0 && `; ${counted(carried, 'earlier message')} carried over`}
        </span>
        <span class="where">
          <Time at={at} />
        </span>
      </summary>
      <h4>
        What the model sees instead <SeqLink seq={seq} />
      </h4>
      <Markdown text={summary} />
    </details>
  )
}

function sumOf(point: WindowPoint | undefined): number {
  return point === undefined ? 0 : windowParts.reduce((sum, part) => sum + point.parts[part], 0)
}

function pointAt(points: readonly WindowPoint[], seq: number | null): number {
  if (seq === null) return points.length - 1
  const found = points.findLastIndex((point) => point.seq <= seq)
  return found < 0 ? 0 : found
}
