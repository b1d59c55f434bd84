import type { Paint, Style } from '../screen/paint.ts'
import { cut, padEnd, padStart, widthOf } from '../screen/width.ts'

export interface Column<Row> {
  readonly head: string
  readonly align?: 'right'
  /** The one column that is narrowed if there is too little room. */
  readonly flexible?: true
  /** Left out where the flexible one would say too little, the highest first. */
  readonly spare?: number
  cell(row: Row): string
  style?(row: Row): Style | undefined
}

export interface TableOptions {
  readonly width: number
  readonly paint: Paint
}

const gap = '  '
const narrowest = 8
/** In so much room a name can be told from others. */
const telling = 24

/** A header and a line for each row. Cells are one line of plain text; colours are added when printing. */
export function table<Row>(rows: readonly Row[], wanted: readonly Column<Row>[], options: TableOptions): string[] {
  const { width, paint } = options
  const columns = fitting(rows, wanted, width)
  const cells = rows.map((row) => columns.map((column) => column.cell(row)))
  const widths = widthsOf(columns, cells, width)
  const line = (texts: readonly string[], style: (index: number) => Style | undefined) =>
    texts
      .map((text, index) => {
        const room = widths[index] ?? 0
        const fitted = cut(text, room)
        const padded = columns[index]?.align === 'right' ? padStart(fitted, room) : padEnd(fitted, room)
        const chosen = style(index)
        return chosen === undefined ? padded : paint(chosen, padded)
      })
      .join(gap)
      .trimEnd()
  return [
    line(
      columns.map(({ head }) => head),
      () => 'dim',
    ),
    ...cells.map((texts, place) => line(texts, (index) => columns[index]?.style?.(rows[place] as Row))),
  ]
}

/** Without spare columns where the line would be too long, or too little of the flexible column would be seen. */
function fitting<Row>(rows: readonly Row[], columns: readonly Column<Row>[], width: number): readonly Column<Row>[] {
  const spare = columns.toSorted((one, other) => (other.spare ?? 0) - (one.spare ?? 0))[0]
  const flexible = columns.findIndex((column) => column.flexible === true)
  if (spare?.spare === undefined || flexible < 0) return columns
  const cells = rows.map((row) => columns.map((column) => column.cell(row)))
  const longest = Math.max(0, ...cells.map((texts) => widthOf(texts[flexible] ?? '')))
  const widths = widthsOf(columns, cells, width)
  const isInWidth = widths.reduce((sum, each) => sum + each, gap.length * (columns.length - 1)) <= width
  if (isInWidth && (widths[flexible] ?? 0) >= Math.min(longest, telling)) return columns
  return fitting(
    rows,
    columns.filter((column) => column !== spare),
    width,
  )
}

function widthsOf<Row>(
  columns: readonly Column<Row>[],
  cells: readonly (readonly string[])[],
  width: number,
): number[] {
  const natural = columns.map(({ head }, index) =>
    Math.max(widthOf(head), ...cells.map((texts) => widthOf(texts[index] ?? ''))),
  )
  const total = natural.reduce((sum, each) => sum + each, gap.length * (columns.length - 1))
  return natural.map((each, index) =>
    columns[index]?.flexible ? Math.max(narrowest, Math.min(each, each - (total - width))) : each,
  )
}
