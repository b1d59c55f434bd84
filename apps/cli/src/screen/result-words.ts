import { type EventOf, type JsonObject, shownText } from '@loader/session-core'
import { counted, inLines } from '@loader/readings'

const mostLines = 4

/** What a call came to, in a few lines: of what a command printed the end, of anything else the beginning. */
export function resultWords(tool: string, { outcome, text, metadata = {} }: EventOf<'tool.finished'>): string[] {
  const lines = inLines(shownText(text)).filter((line) => line.trim() !== '')
  if (tool === 'bash' || tool === 'git') return commandWords(lines)
  if (outcome !== 'ok') return lines.slice(0, mostLines)
  switch (tool) {
    case 'read':
      return wordsFor(metadata, 'lineCount', 'line', lines)
    case 'glob':
      return wordsFor(metadata, 'count', 'file', lines)
    case 'grep':
      return wordsFor(metadata, 'matches', 'match', lines, 'matches')
    case 'todo_write':
      return lines
    default:
      return lines.slice(0, 1)
  }
}

/** How it ended, which the tool has written behind the output, and the end of the output itself. */
function commandWords(lines: readonly string[]): string[] {
  const last = lines.findLastIndex((line) => !/^\[.*\]$/.test(line))
  const printed = lines.slice(0, last + 1)
  const ending = lines.slice(last + 1).map((line) => line.slice(1, -1))
  if (printed.length <= mostLines) return ending.length > 0 ? [ending.join(' '), ...printed] : printed
  const cutOff = `the last of ${printed.length} lines:`
  return [
    [...ending, ending.length > 0 ? `The last of ${printed.length} lines:` : cutOff].join(' '),
    ...printed.slice(-mostLines),
  ]
}

function wordsFor(
  metadata: JsonObject,
  key: string,
  noun: string,
  lines: readonly string[],
  plural?: string,
): string[] {
  const count = metadata[key]
  return typeof count === 'number' ? [counted(count, noun, plural)] : lines.slice(0, 1)
}
