import { counted } from '@loader/readings'
import type { AgentEvent } from '@loader/agent'
import {
  type EventOf,
  type History,
  isSessionEvent,
  type SessionEvent,
  shownText,
  type StoredEvent,
} from '@loader/session-core'
import { Blocks } from '../screen/blocks.ts'
import { eventLines, type LineStyle, thoughtLines } from '../screen/event-lines.ts'
import { firstLine } from '../screen/first-line.ts'
import { Seen } from '../screen/seen.ts'
import { Thoughts } from '../screen/thoughts.ts'
import { attachedLines } from './attached.ts'
import { AnswerText } from './answer-text.ts'
import { MarkdownLines } from './markdown.ts'
import { said } from './said.ts'

const mostWhole = 2
const mostFolded = 8
/** Of a turn that is longer, its end is printed. */
const mostLines = 300

interface PastTurn {
  readonly seq: number
  readonly words: string
  readonly lines: string[]
  /** How its last answer begins. */
  answer: string
}

/** The conversation as it was printed: the latest turns whole, older ones as what was said and how the answer begins. */
export function pastLines(history: History, look: LineStyle): string[] {
  const turns = turnsOf(history, look)
  const folded = turns.slice(0, -mostWhole)
  const shown = folded.slice(-mostFolded)
  const { paint, columns } = look
  const dim = (text: string) => paint('dim', text)
  const hidden = folded.length - shown.length
  return [
    ...(hidden > 0 ? [dim(`${counted(hidden, 'earlier turn')}: loader show`)] : []),
    ...shown.flatMap(({ words, answer }) => [
      `${paint(['bold', 'cyan'], '>')} ${firstLine(words, columns - 4)}`,
      ...(answer === '' ? [] : [dim(`  ${firstLine(answer, columns - 4)}`)]),
    ]),
    ...turns.slice(-mostWhole).flatMap(({ lines }) => {
      const more = lines.length - mostLines
      return more > 1
        ? [dim(`... ${counted(more, 'line')} of this turn: loader show`), ...lines.slice(-mostLines)]
        : lines
    }),
  ]
}

function isAnswer(event: StoredEvent): event is EventOf<'model.answered'> {
  return isSessionEvent(event) && event.type === 'model.answered'
}

/** What was said, as it came: an answer that was cut off in its parts, any other as a whole. */
function spokenIn(event: SessionEvent, answered: ReadonlySet<string>): AgentEvent[] {
  if (event.type !== 'answer.progressed') return [event]
  const { requestId, text, reasoning } = event
  if (answered.has(requestId)) return []
  return [
    ...(reasoning === undefined ? [] : [{ type: 'delta.reasoning', requestId, text: reasoning } as const]),
    ...(text === undefined ? [] : [{ type: 'delta.text', requestId, text } as const]),
  ]
}

/** A rule stands above the first words of a turn, unless it is the first. */
function placeOf(turns: readonly PastTurn[], turn: PastTurn): Parameters<typeof said>[2] {
  return turns.length > 1 && turn.lines.length === 0 ? 'below a rule' : 'alone'
}

function turnsOf(history: History, look: LineStyle): PastTurn[] {
  let turns: PastTurn[] = []
  const inputs = new Map<string, EventOf<'input.queued'>>()
  const answer = new AnswerText(new MarkdownLines(look.paint, () => look.columns))
  const thoughts = new Thoughts()
  const blocks = new Blocks()
  const whole: LineStyle = { ...look, calls: 'finished' }
  const answered = new Set(history.flatMap((event) => (isAnswer(event) ? [event.requestId] : [])))
  let seen = new Seen()
  const running = new Map<string, EventOf<'tool.started'>>()
  for (const stored of history) {
    if (!isSessionEvent(stored)) continue
    if (stored.type === 'input.queued') inputs.set(stored.inputId, stored)
    if (stored.type === 'session.rewound') turns = turns.filter(({ seq }) => seq <= stored.toSeq)
    const input =
      stored.type === 'turn.started' || stored.type === 'input.taken' ? inputs.get(stored.inputId) : undefined
    if (stored.type === 'turn.started') {
      seen = new Seen()
      running.clear()
      turns.push({ seq: stored.seq, words: shownText(input?.text ?? ''), lines: [], answer: '' })
    }
    const turn = turns.at(-1)
    if (turn === undefined) continue
    seen.see(stored)
    if (stored.type === 'tool.started') running.set(stored.callId, stored)
    if (stored.type === 'tool.finished') running.delete(stored.callId)
    const spoken = spokenIn(stored, answered)
    const thought = spoken.map((event) => thoughts.see(event)).find((text) => text !== undefined)
    const words = spoken.flatMap((event) => answer.see(event))
    if (words.length > 0) turn.answer = words.find((line) => line.trim() !== '') ?? ''
    if (input !== undefined) {
      blocks.begin()
      turn.lines.push(...said(input.text, look, placeOf(turns, turn)), ...attachedLines(input, look))
    }
    turn.lines.push(
      ...blocks.of('said', [...(thought === undefined ? [] : thoughtLines(thought, look)), ...words]),
      ...blocks.of('done', stored.type === 'session.claimed' ? [] : eventLines(stored, seen, whole, null)),
    )
  }
  // An answer that the end of the process cut off has no end, and what ran has no result.
  turns.at(-1)?.lines.push(...blocks.of('said', answer.rest()))
  for (const call of running.values())
    turns.at(-1)?.lines.push(...blocks.of('done', eventLines(call, seen, look, null)))
  return turns
}
