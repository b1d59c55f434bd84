import { type EventOf, shownText } from '@loader/session-core'
import { inLines } from '@loader/readings'

const mostLines = 4

/** The result of a call in a few lines: the end of a command's output, else the summary by the tool. */
export function resultWords({ outcome, text, metadata = {} }: EventOf<'tool.finished'>): string[] {
  const lines = inLines(shownText(text)).filter((line) => line.trim() !== '')
  if ('exitCode' in metadata) return commandWords(lines)
  if (outcome !== 'ok') return lines.slice(0, mostLines)
  const { summary } = metadata
  return typeof summary === 'string' ? inLines(summary) : lines.slice(0, 1)
}

/** The exit line that the tool wrote after the output, and the end of the output. */
function commandWords(lines: readonly string[]): string[] {
  const last = lines.findLastIndex((line) => !/^\[.*\]$/.test(line))
  const printed = lines.slice(0, last + 1)
  const ending = lines.slice(last + 1).map((line) => line.slice(1, -1))
  // One line more is shorter than words about it.
  if (printed.length <= mostLines + 1) return ending.length > 0 ? [ending.join(' '), ...printed] : printed
  const count = `${printed.length} lines, the last of them:`
  return [[...ending, count].join(' '), ...printed.slice(-mostLines)]
}
