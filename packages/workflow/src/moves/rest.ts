import { type QueuedInput, shownText, type SessionState } from '@loader/session-core'
import type { Lane } from '@loader/session-core/coding'
import type { Move } from '../words/move.ts'
import { isConversational } from '../routing/is-conversational.ts'

/**
 * Without a turn, the oldest waiting task begins one. What was meant for a turn that has ended joins it; only when
 * nothing else waits does it begin a turn of its own.
 */
export function restMove({ queue }: SessionState): Move {
  const input = queue.find(({ source }) => source !== 'steering') ?? queue[0]
  if (input === undefined) return { type: 'rest' }
  const { inputId, mode } = input
  return { type: 'take_input', inputId, as: { turn: laneFor(input), ...(mode && { mode }) } }
}

/** Mere talk needs no tools and no plan; whoever asks for a mode or a check means work. */
function laneFor({ text, lane, mode, doneWhen, files = [] }: QueuedInput): Lane {
  if (lane !== undefined) return lane
  if (mode === 'explore') return 'explore'
  if (mode !== undefined || doneWhen !== undefined || files.length > 0) return 'main'
  return isConversational(shownText(text)) ? 'chat' : 'main'
}
