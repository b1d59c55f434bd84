import { stripVTControlCharacters } from 'node:util'
import { widthOf } from '../screen/width.ts'

/** The rows below the printed lines, as they stand in the terminal. */
export interface LiveRows {
  /** Each row must be narrower than the terminal: a row that wraps would break the next redraw. */
  readonly rows: readonly string[]
  /** Where the cursor stands; null if it is hidden, below the first column of the last row. */
  readonly cursor: { readonly row: number; readonly column: number } | null
  readonly columns: number
}

/**
 * Where the cursor is when a narrower terminal has wrapped the rows: most keep it at its character, those of VS Code
 * and of web pages (xterm.js) as far from the last row as before.
 */
export type Anchor = 'character' | 'end'

/**
 * What to write so that `lines` stand above the live rows, for ever, and the live rows are as in `now`.
 *
 * 1. Nothing above the live rows is touched: what was printed belongs to the terminal.
 * 2. Only rows that changed are written, unless lines are printed or the width is another.
 * 3. The terminal shows the change at once, if it knows synchronised output.
 */
export function redraw(
  lines: readonly string[],
  before: LiveRows | undefined,
  now: LiveRows,
  anchor: Anchor = 'character',
): string {
  const isWhole = before === undefined || lines.length > 0 || before.columns !== now.columns
  const up = before === undefined ? 0 : rowsAboveCursor(before, now.columns, anchor)
  const text = isWhole ? wholly(lines, up, now) : changed(before, now)
  return `\x1b[?2026h${text}${cursorText(now)}\x1b[?2026l`
}

function wholly(lines: readonly string[], up: number, now: LiveRows): string {
  const text = [...lines, ''].join('\r\n') + now.rows.join('\r\n')
  return `${moved(-up)}${cleared}${text}${moved(cursorRow(now) - lastRow(now))}`
}

/** Clears from the cursor on. From the first cell of a screen, tmux would keep what is cleared among the lines above. */
const cleared = '\r \x1b[J\r'

/** Writes from the first to the last row that changed. */
function changed(before: LiveRows, now: LiveRows): string {
  const isSame = (row: number) => before.rows[row] === now.rows[row]
  const count = Math.max(before.rows.length, now.rows.length)
  let first = 0
  while (first < count && isSame(first)) first += 1
  if (first === count) return moved(cursorRow(now) - cursorRow(before))
  // A row less is a change of the row above it, from where the rest is cleared.
  first = Math.min(first, lastRow(now))
  let last = lastRow(now)
  if (before.rows.length <= now.rows.length) while (last > first && isSame(last)) last -= 1
  // Below the last row, only a line break leads on.
  const begin = Math.min(first, lastRow(before))
  const written = now.rows.slice(first, last + 1).map((row) => `\x1b[2K${row}`)
  const isLess = before.rows.length > now.rows.length
  return [
    moved(begin - cursorRow(before)),
    first > begin ? '\r\n' : '\r',
    written.join('\r\n'),
    isLess ? (now.rows.length === 0 ? cleared : '\x1b[J') : '',
    moved(cursorRow(now) - last),
  ].join('')
}

function cursorText({ cursor }: LiveRows): string {
  if (cursor === null) return '\r\x1b[?25l'
  return `\r${cursor.column > 0 ? `\x1b[${cursor.column}C` : ''}\x1b[?25h`
}

function moved(rows: number): string {
  if (rows === 0) return ''
  return rows < 0 ? `\x1b[${-rows}A` : `\x1b[${rows}B`
}

function lastRow({ rows }: LiveRows): number {
  return Math.max(0, rows.length - 1)
}

function cursorRow(live: LiveRows): number {
  return live.cursor?.row ?? lastRow(live)
}

/** A terminal that became narrower has wrapped the rows into more rows. */
function rowsAboveCursor(live: LiveRows, columns: number, anchor: Anchor): number {
  const row = cursorRow(live)
  if (columns >= live.columns) return row
  const heights = live.rows.map((text) => Math.max(1, Math.ceil(widthOf(stripVTControlCharacters(text)) / columns)))
  if (anchor === 'end') return Math.max(0, sum(heights) - 1 - (lastRow(live) - row))
  return sum(heights.slice(0, row)) + Math.floor((live.cursor?.column ?? 0) / columns)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
