import { excerptOf, type FilePart, type Message, type Part, shownText } from '@loader/session-core'
import { describeFile } from './shown-files.ts'

/** How much of each text is shown: the first of these lengths that fits. */
const lengths = [8000, 2000, 500, 120] as const

/**
 * The messages as readable text of at most so many characters; if even the shortest excerpts are too long, the newest
 * of them.
 */
export function transcriptOf(messages: readonly Message[], characters: number): string {
  for (const length of lengths) {
    const lines = messages.flatMap((message) => messageLines(message, length))
    if (sizeOf(lines) <= characters) return lines.join('\n')
  }
  return newest(
    messages.map((message) => messageLines(message, lengths[3]).join('\n')),
    characters,
  )
}

function newest(lines: readonly string[], characters: number): string {
  let left = characters
  const first = lines.findLastIndex((line) => (left -= line.length + 1) < 0) + 1
  return [`[${first} older messages are left out]`, ...lines.slice(first)].join('\n')
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0)
}

function messageLines({ role, content }: Message, length: number): string[] {
  return content.flatMap((part) => {
    const line = lineOf(role, part, length)
    return line === undefined ? [] : [line]
  })
}

function lineOf(role: Message['role'], part: Part, length: number): string | undefined {
  switch (part.type) {
    case 'text': {
      const text = cut(shownText(part.text), length)
      return text === '' ? undefined : `${role}: ${text}`
    }
    case 'call':
      return `${role} calls ${part.call.name} ${excerptOf(part.call.malformed ?? JSON.stringify(part.call.input), length)}`
    case 'result':
      return [
        `${part.name} (${part.outcome}): ${cut(shownText(part.text), length)}`,
        ...(part.files ?? []).map(given),
      ].join('\n')
    case 'file':
      return `${role} attaches ${describeFile(part)}`
    case 'reasoning':
      return undefined
    default:
      return part satisfies never
  }
}

function given(file: FilePart): string {
  return `  with ${describeFile(file)}`
}

/** Keeps beginning and end, and states how much is cut out. */
function cut(text: string, length: number): string {
  const trimmed = text.trim()
  if (trimmed.length <= length) return trimmed
  const end = Math.floor(length / 3)
  return `${trimmed.slice(0, length - end)} [${trimmed.length - length} characters left out] ${trimmed.slice(-end)}`
}
