import { type Message, type SessionState, shownText } from '@loader/session-core'

/** The first line of a summary message. */
export const compactionMarker = '[COMPACTED CONTEXT]'

const stateHeading = 'State kept by the runtime:'
const instructionsHeading = 'Continuation instructions:'
const frame = new Set([compactionMarker, stateHeading, instructionsHeading])

const instructions = [
  '- Go on with the work from the messages below this one; the newest words of the user among them count most.',
  '- Goal, workflow mode, permission mode and everything the user required or forbade still hold as written above.',
  '- What is written here is known, and what is done is done: neither ask for it again nor do it again.',
]

/** The message as the reducer will build it. */
export function summaryMessage({ updatedAt: at }: SessionState, id: string, text: string): Message {
  return { id, role: 'user', origin: 'summary', content: [{ type: 'text', text }], at }
}

/**
 * The text of a summary message: marker, summary, state, instructions. Lines of the summary that look like part of this
 * frame are removed.
 */
export function summaryMessageText(summary: string, carried: readonly string[]): string {
  const said = summary.split('\n').filter((line) => !frame.has(line.trim()))
  const state = carried.length === 0 ? [] : [stateHeading, ...carried, '']
  return [compactionMarker, said.join('\n').trim(), '', ...state, instructionsHeading, ...instructions].join('\n')
}

/** Whether the message is a summary. An imported one may come from a system with the same marker. */
export function isSummary({ role, origin, content }: Message): boolean {
  if (origin === 'summary') return true
  if (origin !== 'import' || role !== 'user') return false
  const [part] = content
  return part?.type === 'text' && shownText(part.text).startsWith(compactionMarker)
}

export interface EarlierSummary {
  readonly summary: readonly string[]
  readonly carried: readonly string[]
}

/** Parses the lines of a summary message. */
export function readSummaryMessage(text: string): EarlierSummary {
  const lines = text.split('\n').slice(text.startsWith(compactionMarker) ? 1 : 0)
  const end = lastIndexOr(lines, instructionsHeading, lines.length)
  const body = lines.slice(0, end)
  // The summary may contain the heading too, but it comes before the state, so the last one counts.
  const start = lastIndexOr(body, stateHeading, body.length)
  return { summary: withoutBlank(body.slice(0, start)), carried: withoutBlank(body.slice(start + 1)) }
}

function lastIndexOr(lines: readonly string[], line: string, otherwise: number): number {
  const index = lines.lastIndexOf(line)
  return index < 0 ? otherwise : index
}

function withoutBlank(lines: readonly string[]): string[] {
  return lines.filter((line) => line.trim() !== '')
}
