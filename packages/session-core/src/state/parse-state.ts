import { LoaderError } from '../words/errors.ts'
import { List } from '../words/list.ts'
import { pairingFault } from '../words/message.ts'
import { wrongFieldOf } from './saved-state-fields.ts'
import { type SavedState, type SessionState, stateVersion } from './state.ts'
import { unansweredCalls } from './turn.ts'

/** The value as a state, or an error. A state of another version is refused: fold the history instead. */
export function parseState(value: unknown): SessionState {
  const wrong = wrongFieldOf(value)
  if (wrong !== undefined) {
    throw new LoaderError(
      'invalid_state',
      `This is not a saved state of version ${stateVersion}: ${wrong}. The events are the truth; fold them instead.`,
    )
  }
  // The checked value itself, not zod's copy: that one lacks the keys that newer versions wrote.
  const saved = value as SavedState
  const open = new Set(unansweredCalls(saved.turn).map(({ call }) => call.id))
  const fault = pairingFault(saved.messages, open)
  if (fault !== undefined) {
    throw new LoaderError('invalid_state', `This saved state is broken: ${fault}. Fold the events instead.`)
  }
  return { ...saved, messages: List.from(saved.messages), timeline: List.from(saved.timeline) }
}
