import type { Paint, Style } from '../screen/paint.ts'
import { cut, padEnd, padStart, widthOf } from '../screen/width.ts'

export interface Column<Row> {
  readonly head: string
  readonly align?: 'right'
  /** The one column that is narrowed if there is too little room. */
  readonly flexible?: true
  cell(row: Row): string
  style?(row: Row): Style | undefined
}

export interface TableOptions {
  readonly width: number
  readonly paint: Paint
}

const gap = '  '
const narrowest = 8

/** A header and a line for each row. Cells are one line of plain text; colours are added when printing. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], options: TableOptions): string[] {
  const { width, paint } = options
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
