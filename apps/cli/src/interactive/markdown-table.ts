import type { Paint } from '../screen/paint.ts'
import { widthOf } from '../screen/width.ts'
import { type PaintedLine, runsOf, type RunStyle, wrapRuns } from './runs.ts'

const gap = 2
const narrowest = 8

/** Whether a line can belong to a table. */
export function isTableLine(line: string): boolean {
  return /^\s*\|.*\|\s*$/.test(line)
}

/** The lines of a table in columns that fit, or each row as a list if they cannot. Undefined if this is not a table. */
export function tableLines(lines: readonly string[], width: number, paint: Paint): string[] | undefined {
  const [head, rule, ...rows] = lines.map(cellsOf)
  if (head === undefined || rule === undefined || !rule.every((cell) => /^:?-+:?$/.test(cell))) return undefined
  const cells = [head, ...rows].map((row) => head.map((_, index) => row[index] ?? ''))
  const widths = widthsOf(cells, width)
  if (widths === undefined) return asLists(cells, width, paint)
  const [first = [], ...others] = cells
  return [
    ...rowLines(first, widths, ['bold'], paint),
    paint('dim', widths.map((each) => '-'.repeat(each)).join(' '.repeat(gap))),
    ...others.flatMap((row) => rowLines(row, widths, [], paint)),
  ]
}

function cellsOf(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|').trim())
}

/** The widest columns are narrowed first. Undefined if there are too many columns. */
function widthsOf(cells: readonly (readonly string[])[], width: number): number[] | undefined {
  const count = cells[0]?.length ?? 0
  const room = width - gap * (count - 1)
  const widths = Array.from({ length: count }, (_, index) =>
    Math.max(1, ...cells.map((row) => seenWidth(row[index] ?? ''))),
  )
  for (let over = sum(widths) - room; over > 0; over = sum(widths) - room) {
    const widest = Math.max(...widths)
    if (widest <= narrowest) return undefined
    const next = Math.max(narrowest, ...widths.filter((each) => each < widest))
    const place = widths.lastIndexOf(widest)
    widths[place] = Math.max(next === widest ? widest - 1 : next, widest - over, narrowest)
  }
  return widths
}

function seenWidth(cell: string): number {
  return widthOf(
    runsOf(cell)
      .map(({ text }) => text)
      .join(''),
  )
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

function rowLines(
  row: readonly string[],
  widths: readonly number[],
  styles: readonly RunStyle[],
  paint: Paint,
): string[] {
  const cells = row.map((cell, index) => wrapRuns(runsOf(cell, styles), widths[index] ?? narrowest, paint))
  const height = Math.max(1, ...cells.map((cell) => cell.length))
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((cell, index) => padded(cell[line], widths[index] ?? 0))
      .join(' '.repeat(gap))
      .trimEnd(),
  )
}

function padded(line: PaintedLine | undefined, width: number): string {
  return line === undefined ? ' '.repeat(width) : line.text + ' '.repeat(Math.max(0, width - line.width))
}

function asLists([head = [], ...rows]: readonly (readonly string[])[], width: number, paint: Paint): string[] {
  return rows.flatMap((row, place) => [
    ...(place === 0 ? [] : ['']),
    ...row.flatMap((cell, index) => {
      const runs = [...runsOf(`${head[index] ?? ''}: `, ['bold']), ...runsOf(cell)]
      return wrapRuns(runs, width, paint).map(({ text }) => text)
    }),
  ])
}
