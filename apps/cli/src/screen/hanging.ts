import { inOneLine } from '@loader/readings'
import { cut, widthOf, wrap } from './width.ts'

export interface HangingOptions {
  readonly columns: number
  /** How many lines there may be; the last one shows that there would be more. */
  readonly most?: number
  /** How far the other lines are indented; absent: as far as the text of the first. */
  readonly below?: number
  readonly paint?: (line: string) => string
}

/** A text behind a mark, its other lines below the first. The mark may be painted; `width` is what it takes. */
export function hanging(mark: string, width: number, text: string, options: HangingOptions): string[] {
  const { columns, most = Number.POSITIVE_INFINITY, below = width, paint = (line: string) => line } = options
  const room = columns - 1 - width
  const lines = wrap(inOneLine(text), room)
  const shown = lines.length > most ? [...lines.slice(0, most - 1), cut(lines.slice(most - 1).join(' '), room)] : lines
  return shown.map((line, index) => (index === 0 ? mark : ' '.repeat(below)) + paint(line))
}

/** A sign and a space, painted, with what follows. Below a sign that is a word, lines begin further to the left. */
export function marked(
  mark: string,
  text: string,
  { indent = '', paintMark = (sign: string) => sign, ...options }: HangingOptions & MarkOptions,
): string[] {
  const width = indent.length + widthOf(mark) + 1
  const below = Math.min(width, indent.length + 3)
  return hanging(`${indent}${paintMark(mark)} `, width, text, { ...options, below })
}

interface MarkOptions {
  readonly indent?: string
  readonly paintMark?: (sign: string) => string
}
