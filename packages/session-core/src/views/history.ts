import { isSessionEvent, type EventOf, type History } from '../events/event.ts'
import type { SeqRange } from '../ports/store-capabilities.ts'
import { fold, reduce } from '../reduce/reduce.ts'
import type { SessionState } from '../state/state.ts'
import type { EndedTurn } from '../state/turn.ts'
import type { Message } from '../words/message.ts'
import type { PromptSnapshot } from '../words/prompt.ts'

/** The state as it was after the event with this seq; null before the first. */
export function stateAt(history: History, seq: number): SessionState | null {
  return fold(history.filter((event) => event.seq <= seq))
}

/** One message of a `transcript`, including those that the model no longer sees. */
export interface TranscriptLine {
  readonly message: Message
  /** The event that added the message. */
  readonly seq: number
  /** Whether the model still sees it, and if not, why. */
  readonly standing: 'live' | 'folded' | 'withdrawn' | 'rewound'
}

/** Every message ever added, in order, including those that have left the window. */
export function transcript(history: History): TranscriptLine[] {
  const lines = new Map<string, TranscriptLine>()
  let state: SessionState | null = null
  for (const event of history) {
    const before: SessionState | null = state
    state = reduce(state, event)
    if (before === null || before.messages === state.messages) continue
    const appended = appendedOnly(before, state, event.type)
    if (!appended) markMissing(lines, state, standingAfter(event.type))
    for (const message of appended ? state.messages.slice(before.messages.length) : state.messages) {
      const seq = lines.get(message.id)?.seq ?? event.seq
      lines.set(message.id, { message, seq, standing: 'live' })
    }
  }
  return [...lines.values()]
}

const reshaping = new Set([
  'context.compacted',
  'context.compaction_undone',
  'session.rewound',
  'calls.recovered',
  'workflow.decided',
  'session.forked',
])

/** Whether only messages were added, as with most events: then earlier ones need no comparison. */
function appendedOnly(before: SessionState, after: SessionState, type: string): boolean {
  return !reshaping.has(type) && after.messages.length > before.messages.length
}

function markMissing(
  lines: Map<string, TranscriptLine>,
  state: SessionState,
  standing: TranscriptLine['standing'],
): void {
  const live = new Set(state.messages.map(({ id }) => id))
  for (const [id, line] of lines) {
    if (line.standing === 'live' && !live.has(id)) lines.set(id, { ...line, standing })
  }
}

function standingAfter(type: string): TranscriptLine['standing'] {
  if (type === 'session.rewound') return 'rewound'
  return type === 'workflow.decided' ? 'withdrawn' : 'folded'
}

/** An ended turn, and the event that ended it. */
export interface TurnEnded {
  readonly turn: EndedTurn
  readonly seq: number
  readonly at: string
}

/** Every turn that ended, with what it used. */
export function turns(history: History): EndedTurn[] {
  return turnEnds(history).map(({ turn }) => turn)
}

/** The same, with the events that ended them. After lost events, any event can show that a turn had ended. */
export function turnEnds(history: History): TurnEnded[] {
  const ended: TurnEnded[] = []
  let state: SessionState | null = null
  for (const event of history) {
    const before: SessionState | null = state
    state = reduce(state, event)
    const { lastTurn } = state
    const isNew = lastTurn !== null && lastTurn.id !== before?.lastTurn?.id && event.type !== 'session.forked'
    if (isNew || (event.type === 'turn.finished' && lastTurn !== null && lastTurn !== before?.lastTurn))
      ended.push({ turn: lastTurn, seq: event.seq, at: event.at })
  }
  return ended
}

/** A range of lost events, and what is known about them. */
export interface LostEvents extends SeqRange {
  /** The number of damaged bytes; null when unknown. */
  readonly bytes: number | null
  /** The events around the gap; null where there is none. */
  readonly before: EventPlace | null
  readonly after: EventPlace | null
}

/** The position of an event in its session, for lists and references. */
export interface EventPlace {
  readonly seq: number
  readonly type: string
  readonly at: string
}

/** The gaps of a history, in order. */
export function gapsOf(history: History): LostEvents[] {
  const gaps: LostEvents[] = []
  for (const [index, event] of history.entries()) {
    const last = gaps.at(-1)
    if (!isSessionEvent(event) || event.type !== 'event.lost') {
      if (last !== undefined && last.last === event.seq - 1) gaps.splice(-1, 1, { ...last, after: placeOf(event) })
    } else if (last?.last === event.seq - 1 && last.first === event.first) {
      gaps.splice(-1, 1, { ...last, last: event.seq })
    } else {
      const before = history[index - 1]
      gaps.push({
        first: event.seq,
        last: event.seq,
        bytes: event.bytes ?? null,
        before: before === undefined || before.type === 'event.lost' ? null : placeOf(before),
        after: null,
      })
    }
  }
  return gaps
}

function placeOf({ seq, type, at }: EventPlace): EventPlace {
  return { seq, type, at }
}

/** Every system prompt that was used, with its text. */
export function promptHistory(history: History): PromptSnapshot[] {
  const prompts: PromptSnapshot[] = []
  let state: SessionState | null = null
  for (const event of history) {
    state = reduce(state, event)
    const latest = event.type === 'prompt.rendered' ? state.prompts.at(-1) : undefined
    if (latest) prompts.push(latest)
  }
  return prompts
}

/** The facts that another program recorded under a name, oldest first. */
export function customRecords(history: History, name: string): EventOf<'custom.recorded'>[] {
  return history.flatMap((event) =>
    isSessionEvent(event) && event.type === 'custom.recorded' && event.name === name ? [event] : [],
  )
}
