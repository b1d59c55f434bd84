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

/** The widths with which the table takes the fewest rows. Undefined if words would be broken that a line has room for. */
function widthsOf(cells: readonly (readonly string[])[], width: number): number[] | undefined {
  const count = cells[0]?.length ?? 0
  const room = width - gap * (count - 1)
  const words = cells.map((row) => row.map(wordWidths))
  const widths = Array.from({ length: count }, (_, index) =>
    Math.max(1, ...cells.map((row) => seenWidth(row[index] ?? ''))),
  )
  for (let over = sum(widths) - room; over > 0; over = sum(widths) - room) {
    // In large steps at first: this is done for each part of a table that is being written.
    const step = Math.max(1, Math.floor(over / 8))
    const narrower = widths.flatMap((each, index) => (each - step < narrowest ? [] : [widths.with(index, each - step)]))
    const [best] = narrower
      .map((each) => ({ each, cost: costOf(words, each, width), widest: Math.max(...each) }))
      .toSorted((one, other) => one.cost - other.cost || one.widest - other.widest)
    if (best === undefined) return undefined
    widths.splice(0, count, ...best.each)
  }
  const isBroken = words.some((row) => row.some((cell, index) => breaks(cell, widths[index] ?? 0, width)))
  return isBroken ? undefined : widths
}

function wordWidths(cell: string): number[] {
  return textOf(cell).split(/ +/).map(widthOf)
}

/** The rows that it takes; a broken word counts as many. */
function costOf(words: readonly (readonly (readonly number[])[])[], widths: readonly number[], line: number): number {
  return sum(
    words.map((row) => {
      const heights = row.map((cell, index) => {
        const width = widths[index] ?? 1
        return rowsFor(cell, width) + (breaks(cell, width, line) ? perBrokenWord : 0)
      })
      return Math.max(...heights)
    }),
  )
}

const perBrokenWord = 50

function breaks(words: readonly number[], width: number, line: number): boolean {
  return words.some((word) => word > width && word <= line)
}

function rowsFor(words: readonly number[], width: number): number {
  let [rows, used] = [1, 0]
  for (const word of words) {
    const joined = used === 0 ? word : used + 1 + word
    if (joined <= width) used = joined
    else {
      rows += (used === 0 ? 0 : 1) + Math.max(0, Math.ceil(word / width) - 1)
      used = word % width || width
    }
  }
  return rows
}

function seenWidth(cell: string): number {
  return widthOf(textOf(cell))
}

/** The text without its marks. */
function textOf(cell: string): string {
  return runsOf(cell)
    .map(({ text }) => text)
    .join('')
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
      const whole = wrapRuns(runs, width, paint)
      if (whole.length === 1) return whole.map(({ text }) => text)
      return wrapRuns(runs, width - 2, paint).map(({ text }, line) => (line === 0 ? text : `  ${text}`))
    }),
  ])
}
