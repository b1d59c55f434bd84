export type LineEnding = '\n' | '\r\n'

/** The line ending that a text uses most; undefined when it has no line breaks. */
export function lineEndingOf(text: string): LineEnding | undefined {
  const first = text.indexOf('\n')
  if (first === -1) return undefined
  const ends = count(text, '\n')
  const windows = count(text, '\r\n')
  return windows * 2 > ends ? '\r\n' : '\n'
}

/** Whether every line of a text ends in CRLF. */
export function isAllCrlf(text: string): boolean {
  const windows = count(text, '\r\n')
  return windows > 0 && windows === count(text, '\n')
}

export function withLineEnding(text: string, ending: LineEnding): string {
  const plain = text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text
  return ending === '\n' ? plain : plain.replaceAll('\n', '\r\n')
}

/** Lines with their line endings; joined they give the text again. */
export function splitLines(text: string): string[] {
  const lines: string[] = []
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    lines.push(text.slice(start, end + 1))
    start = end + 1
  }
  if (start < text.length) lines.push(text.slice(start))
  return lines
}

/** A line without its line ending. */
export function bare(line: string): string {
  return line.replace(/\r?\n$|\r$/, '')
}

/** The line number of a position, counted from 1. */
export function lineNumberAt(text: string, position: number): number {
  return count(text, '\n', position) + 1
}

function count(text: string, part: string, before = text.length): number {
  let found = 0
  for (let at = text.indexOf(part); at !== -1 && at < before; at = text.indexOf(part, at + part.length)) found += 1
  return found
}

export function linesInWords(lines: number): string {
  return lines === 1 ? '1 line' : `${lines} lines`
}
