import { stripVTControlCharacters } from 'node:util'
import { columnsOf, type Console } from '../console/console.ts'
import { widthOf } from '../screen/width.ts'

export interface Bottom {
  readonly rows: readonly string[]
  /** The cursor position: the row, and the column in it. */
  readonly cursor: { readonly row: number; readonly column: number }
}

const usualRows = 24

/**
 * A terminal whose last rows are redrawn while the lines above scroll. These rows must fit the width, because wrapping
 * would break redrawing. Each change is written at once to avoid flicker.
 */
export class Screen {
  readonly #console: Console
  #bottom: Bottom | undefined
  #columnsDrawn = 0

  constructor(console: Console) {
    this.#console = console
  }

  get columns(): number {
    return columnsOf(this.#console)
  }

  get rows(): number {
    const { stdout } = this.#console
    return 'rows' in stdout && typeof stdout.rows === 'number' && stdout.rows > 0 ? stdout.rows : usualRows
  }

  /** Prints lines that stay, and redraws the bottom rows below them. */
  update(lines: readonly string[], bottom: Bottom): void {
    const before = this.#erased()
    this.#bottom = bottom
    this.#columnsDrawn = this.columns
    this.#write(`${before}${lines.map((line) => `${line}\r\n`).join('')}${drawn(bottom)}`)
  }

  /** Clears the terminal; the bottom is drawn by the next update. */
  wipe(): void {
    this.#bottom = undefined
    this.#write('\x1b[2J\x1b[H')
  }

  /** Removes the bottom rows, so that other code can write. */
  clear(): void {
    const before = this.#erased()
    this.#bottom = undefined
    this.#write(before)
  }

  #erased(): string {
    if (this.#bottom === undefined) return ''
    const up = this.#rowsAboveCursor(this.#bottom)
    return `${up > 0 ? `\x1b[${up}A` : ''}\r\x1b[J`
  }

  /** In a terminal that became narrower, the drawn rows were wrapped into more rows. */
  #rowsAboveCursor({ rows, cursor }: Bottom): number {
    const { columns } = this
    if (columns >= this.#columnsDrawn) return cursor.row
    const above = rows.slice(0, cursor.row).map((row) => Math.ceil(widthOf(stripVTControlCharacters(row)) / columns))
    return above.reduce((total, each) => total + Math.max(1, each), Math.floor(cursor.column / columns))
  }

  #write(text: string): void {
    if (text !== '') this.#console.stdout.write(text)
  }
}

function drawn({ rows, cursor }: Bottom): string {
  const up = rows.length - 1 - cursor.row
  const right = cursor.column > 0 ? `\x1b[${cursor.column}C` : ''
  return `${rows.join('\r\n')}${up > 0 ? `\x1b[${up}A` : ''}\r${right}`
}
