import { segmentsOf } from './segments.ts'

/** Characters that take two cells of a terminal: those of East Asian scripts, and most emoji. */
const wide =
  /^(?:\p{Emoji_Presentation}|\p{Emoji}\ufe0f|\p{Regional_Indicator}{2}|[\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}])/u
const invisible = /^[\p{M}\u200c\u200d]+$/u
const plain = /^[\x20-\x7e]*$/

/** The number of terminal cells that a line takes. */
export function widthOf(text: string): number {
  if (plain.test(text)) return text.length
  let width = 0
  for (const { segment } of segmentsOf(text)) width += cellsOf(segment)
  return width
}

/** The line, cut to the given width. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  return width < 1 ? '' : `${beginning(text, width - 1).trimEnd()}…`
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - widthOf(text))) + text
}

/** Wraps a line at spaces, and inside words that are longer than a line. */
export function wrap(text: string, width: number): string[] {
  const room = Math.max(8, width)
  if (widthOf(text) <= room) return [text]
  const indent = /^ */.exec(text)?.[0] ?? ''
  const margin = indent.length < room / 2 ? indent : ''
  const lines: string[] = []
  let line = margin
  for (const word of text.trim().split(/ +/)) {
    const joined = line.trim() === '' ? margin + word : `${line} ${word}`
    if (widthOf(joined) <= room) {
      line = joined
      continue
    }
    if (line.trim() !== '') lines.push(line)
    line = margin + word
    while (widthOf(line) > room) {
      const first = beginning(line, room)
      lines.push(first)
      line = margin + line.slice(first.length)
    }
  }
  return [...lines, line]
}

/** The longest beginning that fits, without splitting a visible character. */
function beginning(text: string, width: number): string {
  let taken = ''
  let used = 0
  for (const { segment } of segmentsOf(text)) {
    used += cellsOf(segment)
    if (used > width) break
    taken += segment
  }
  // A character wider than the room is taken anyway, so that wrapping ends.
  return taken === '' ? (segmentsOf(text)[Symbol.iterator]().next().value?.segment ?? '') : taken
}

function cellsOf(segment: string): number {
  if (invisible.test(segment)) return 0
  return wide.test(segment) ? 2 : 1
}
