import { isSessionEvent, type EventOf, type Recording } from '../events/event.ts'
import { fold, reduce } from '../reduce/reduce.ts'
import type { SessionState } from '../state/state.ts'
import type { EndedTurn } from '../state/turn.ts'
import type { Message } from '../words/message.ts'
import type { PromptSnapshot } from '../words/prompt.ts'

/** The state as it was after the event with this seq; null before the first. */
export function stateAt(recording: Recording, seq: number): SessionState | null {
  return fold(recording.filter((event) => event.seq <= seq))
}

export interface TranscriptLine {
  readonly message: Message
  /** The event that brought the message. */
  readonly seq: number
  /** Whether the model still sees it, and if not, why. */
  readonly standing: 'live' | 'folded' | 'withdrawn' | 'rewound'
}

/** Every message there ever was, in order, also those that have left the window. */
export function transcript(recording: Recording): TranscriptLine[] {
  const lines = new Map<string, TranscriptLine>()
  let state: SessionState | null = null
  for (const event of recording) {
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
])

/** Most events only add messages; then the earlier ones need no second look. */
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

/** Every turn that ended, with what it used. */
export function turns(recording: Recording): EndedTurn[] {
  const ended: EndedTurn[] = []
  let state: SessionState | null = null
  for (const event of recording) {
    state = reduce(state, event)
    if (event.type === 'turn.finished' && state.lastTurn) ended.push(state.lastTurn)
  }
  return ended
}

/** Every system prompt that was used, with its text. */
export function promptHistory(recording: Recording): PromptSnapshot[] {
  const history: PromptSnapshot[] = []
  let state: SessionState | null = null
  for (const event of recording) {
    state = reduce(state, event)
    const latest = event.type === 'prompt.rendered' ? state.prompts.at(-1) : undefined
    if (latest) history.push(latest)
  }
  return history
}

/** The facts that another program recorded under a name, oldest first. */
export function customRecords(recording: Recording, name: string): EventOf<'custom.recorded'>[] {
  return recording.flatMap((event) =>
    isSessionEvent(event) && event.type === 'custom.recorded' && event.name === name ? [event] : [],
  )
}
