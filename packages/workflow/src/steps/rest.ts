import { type QueuedInput, shownText, type SessionState } from '@loader/session-core'
import type { Lane } from '@loader/session-core/coding'
import type { Step } from '../words/step.ts'
import { isConversational } from '../routing/is-conversational.ts'

/**
 * Without an open turn, the oldest queued task starts one. Steering messages left from an ended turn join the new turn;
 * they start their own only if no task is queued.
 */
export function restStep({ queue }: SessionState): Step {
  const input = queue.find(({ source }) => source !== 'steering') ?? queue[0]
  if (input === undefined) return { type: 'rest' }
  const { inputId, mode } = input
  return { type: 'take_input', inputId, as: { turn: laneFor(input), ...(mode && { mode }) } }
}

/** A conversational message runs without tools and plans, unless it comes with a mode, checks or files. */
function laneFor({ text, lane, mode, doneWhen, files = [], quoted = [] }: QueuedInput): Lane {
  if (lane !== undefined) return lane
  if (mode === 'explore') return 'explore'
  if (mode !== undefined || doneWhen !== undefined || files.length + quoted.length > 0) return 'main'
  return isConversational(shownText(text)) ? 'chat' : 'main'
}
