import { useEffect, useRef, useState } from 'preact/hooks'

/** One area of a chart, stacked on those before it. */
export interface Layer {
  readonly name: string
  readonly className: string
  readonly values: readonly number[]
}

interface SeriesProps {
  readonly label: string
  readonly layers: readonly Layer[]
  /** What each place along the chart is called. */
  readonly nameOf: (index: number) => string
  readonly valueText: (value: number) => string
  /** A line across, such as the size of the window. */
  readonly limit?: { readonly value: number; readonly text: string } | null
  /** Lines down, between the place before and this one. */
  readonly cuts?: readonly { readonly index: number; readonly text: string }[]
  readonly chosen: number | null
  readonly onChoose: (index: number) => void
}

const height = 220
const edge = { right: 10, top: 12, bottom: 22 } as const
/** The width of a figure at the side, in pixels. */
const figureWidth = 6.6

/** Stacked areas over the requests of a session. Every value also stands in words beside it. */
export function Series({ label, layers, nameOf, valueText, limit, cuts = [], chosen, onChoose }: SeriesProps) {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(720)
  useEffect(() => {
    const box = place.current
    if (box === null) return undefined
    const observer = new ResizeObserver(() => setWidth(Math.max(220, box.clientWidth)))
    observer.observe(box)
    return () => observer.disconnect()
  }, [])
  const length = layers[0]?.values.length ?? 0
  const sums = Array.from({ length }, (_, index) => layers.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))
  const highest = sums.reduce((most, sum) => Math.max(most, sum), 0) || 1
  // A window that is far from full must not press everything to the ground.
  const top = limit != null && limit.value < highest * 2.2 ? Math.max(highest, limit.value) * 1.06 : highest * 1.12
  const marks = levels(top).map((value) => ({ value, text: valueText(value) }))
  const left = 16 + figureWidth * Math.max(3, ...marks.map(({ text }) => text.length))
  /** Each request has a place of its own, so that what changed between two is a step, and not a slope. */
  const x = (index: number) => left + (index / Math.max(1, length)) * (width - left - edge.right)
  const y = (value: number) => height - edge.bottom - (value / top) * (height - edge.top - edge.bottom)
  const at = (clientX: number) => {
    const box = place.current?.getBoundingClientRect()
    const part = box === undefined ? 0 : (clientX - box.left - left) / (width - left - edge.right)
    return Math.min(length - 1, Math.max(0, Math.floor(part * length)))
  }
  return (
    <div class="series" ref={place} onClick={(event) => onChoose(at(event.clientX))} role="presentation">
      <svg width={width} height={height} role="img" aria-label={label}>
        {marks.map(({ value, text }) => (
          <g key={value}>
            <path class="grid" d={`M${left} ${y(value)}H${width - edge.right}`} />
            <text class="axis-label" x={left - 8} y={y(value) + 4} text-anchor="end">
              {text}
            </text>
          </g>
        ))}
        {areas(layers, x, y, length).map(({ className, name, d }) => (
          <path key={name} class={className} d={d} />
        ))}
        {cuts.map(({ index, text }) => (
          <path
            key={`${index} ${text}`}
            class="series-cut"
            d={`M${x(index < 0 ? length : index)} ${edge.top}V${height - edge.bottom}`}
          >
            <title>{text}</title>
          </path>
        ))}
        {limit != null && limit.value <= top && (
          <g>
            <path class="series-limit" d={`M${left} ${y(limit.value)}H${width - edge.right}`} />
            <text class="axis-label" x={width - edge.right} y={y(limit.value) - 5} text-anchor="end">
              {limit.text}
            </text>
          </g>
        )}
        {chosen !== null && length > 0 && (
          <rect
            class="series-chosen"
            x={x(chosen)}
            width={Math.max(2, x(chosen + 1) - x(chosen))}
            y={edge.top}
            height={height - edge.top - edge.bottom}
          />
        )}
        {length > 0 && (
          <text class="axis-label" x={x(0)} y={height - 5}>
            {nameOf(0)}
          </text>
        )}
        {length > 1 && (
          <text class="axis-label" x={x(length)} y={height - 5} text-anchor="end">
            {nameOf(length - 1)}
          </text>
        )}
      </svg>
    </div>
  )
}

/** Three or four round values from zero up. */
function levels(top: number): number[] {
  const rough = top / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((one) => one * power >= rough) ?? 10) * power
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => index * step)
}

function areas(layers: readonly Layer[], x: (index: number) => number, y: (value: number) => number, length: number) {
  const ground = Array.from({ length }, () => 0)
  return layers.map(({ name, className, values }) => {
    const below = ground.slice()
    for (let index = 0; index < length; index += 1) ground[index] = (ground[index] ?? 0) + (values[index] ?? 0)
    const up = ground.map(
      (value, index) => `${index === 0 ? `M${x(0)} ` : 'V'}${y(value).toFixed(1)}H${x(index + 1).toFixed(1)}`,
    )
    const down = below.map((value, index) => `V${y(value).toFixed(1)}H${x(index).toFixed(1)}`).toReversed()
    return { name, className, d: `${up.join('')}${down.join('')}z` }
  })
}
