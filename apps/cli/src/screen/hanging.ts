import { inOneLine } from '@loader/readings'
import { cut, widthOf, wrap } from './width.ts'

export interface HangingOptions {
  readonly columns: number
  /** The most lines; if there would be more, the last one shows that. */
  readonly most?: number
  /** The indentation of the other lines; by default, that of the text in the first line. */
  readonly below?: number
  readonly paint?: (line: string) => string
}

/** A text after a mark, with its other lines aligned. The mark may have style codes; `width` is its visible width. */
export function hanging(mark: string, width: number, text: string, options: HangingOptions): string[] {
  const { columns, most = Number.POSITIVE_INFINITY, below = width, paint = (line: string) => line } = options
  const room = columns - 1 - width
  const lines = wrap(inOneLine(text), room)
  const shown = lines.length > most ? [...lines.slice(0, most - 1), cut(lines.slice(most - 1).join(' '), room)] : lines
  return shown.map((line, index) => (index === 0 ? mark : ' '.repeat(below)) + paint(line))
}

/** A painted sign and a space, followed by text. If the sign is a word, the other lines are indented less. */
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
